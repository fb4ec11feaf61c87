/** The picture in words. */
import { format } from "../../lib/numbers.js";
import { fill } from "../../lib/words.js";
import { likeliest } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const EPSILON = 5e-4; // what is smaller shows as 0 and is none

/** @param {Picture} picture */
export const isEdited = ({ moved }) => Math.max(...moved) > 0;

/**
 * Reading and meaning of a word, as far as it has them: of a person's name only the latter.
 * @param {Pick<Context, "data">} context
 * @param {number} word
 */
export function namesOf({ data }, word) {
  const [reading, meaning] = data.names[word];
  return [reading.toLowerCase() === meaning.toLowerCase() ? "" : reading, meaning].filter(Boolean);
}

/** A token with its reading and meaning. @param {Context} context @param {string} token */
export function glossed(context, token) {
  const said = namesOf(context, context.network.ids.get(token) ?? 0);
  return said.length ? `${token} (${said.join(", ")})` : token;
}

/** @param {number} share */
export function percent(share) {
  if (share > 0 && share < 0.005) return "< 1 %";
  return `${Math.round(100 * share)} %`;
}

/** @param {Context} context @param {Picture} picture */
export function movedOf({ words }, picture) {
  const { moved, state, full } = picture;
  if (!isEdited(picture)) return words.moved_none;
  const value = moved[state.step];
  const step = state.step + 1;
  if (value === 0) return fill(words.moved_not, { step });
  return fill(words.moved_by, {
    step,
    value: value < EPSILON ? "< 0.001" : format(value, value < 0.1 ? 3 : 2),
    full: format(full),
  });
}

/** What a listener needs in place of the picture. @param {Context} context @param {Picture} picture */
export function spokenOf(context, picture) {
  const { words, data } = context;
  const { state, reading } = picture;
  const shares = reading.expected[state.step];
  const expected = likeliest(shares, 3).map((word) =>
    fill(words.spoken_guess, {
      token: glossed(context, data.vocabulary[word]),
      share: percent(shares[word]),
    }),
  );
  return fill(words.spoken, {
    step: state.step + 1,
    steps: state.tokens.length,
    token: glossed(context, state.tokens[state.step]),
    expected: expected.join(", "),
    moved: movedOf(context, picture),
  });
}
