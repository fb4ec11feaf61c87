/** The picture in words. */
import { fill } from "../../lib/words.js";
import { END } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** @param {number} share */
export function percent(share) {
  if (share > 0 && share < 0.005) return "< 1 %";
  if (share < 1 && share >= 0.995) return "> 99 %";
  return `${Math.round(100 * share)} %`;
}

/** A token with its reading and meaning. @param {Context} context @param {string} token */
export function glossed({ given, words }, token) {
  if (token === END) return words.end;
  const notes = (given.notes[token] ?? [])
    .map((note) => note.replace(/^\((.*)\)$/, "$1")) // brackets would stand inside of ours
    .filter((note) => /[\p{L}\p{N}]/u.test(note)); // a full stop is not read aloud
  return notes.length ? `${token} (${notes.join(", ")})` : token;
}

/** How far the sentence has been read. @param {Context} context @param {Picture} picture */
export function readingOf({ words }, { translation: { reading, columns, cell }, read }) {
  const numbers = reading[0].length;
  const tokens = reading.length;
  if (read === tokens) return fill(cell ? words.vector_cell : words.vector, { tokens, numbers });
  return fill(columns < numbers ? words.reading_both : words.reading, { count: read, tokens });
}

/** Whether the translation is right, and where it goes wrong. @param {Context} context @param {Picture} picture */
export function verdictOf(context, { translation }) {
  const { words } = context;
  const { wanted, wrongFrom, steps } = translation;
  if (!wanted) return words.unknown_reference;
  if (wrongFrom < 0) return words.right;
  return fill(words.wrong, {
    step: wrongFrom + 1,
    written: glossed(context, steps[wrongFrom].token),
    wanted: glossed(context, wanted[wrongFrom] ?? END),
  });
}

/** For those who do not see it. @param {Context} context @param {Picture} picture */
export function spokenOf(context, picture) {
  const { words } = context;
  const { steps } = picture.translation;
  const { token, share, likeliest } = steps[picture.step];
  const reading = picture.read < picture.translation.reading.length;
  const said = fill(words.spoken, {
    text: steps.map((step) => step.token).filter((one) => one !== END).join(""),
    verdict: verdictOf(context, picture),
    step: picture.step + 1,
    steps: steps.length,
    token: glossed(context, token),
    share: percent(share),
    others: likeliest
      .filter((one) => one.token !== token)
      .slice(0, 2)
      .map((one) => `${glossed(context, one.token)} ${percent(one.share)}`)
      .join(", "),
  });
  return reading ? `${readingOf(context, picture)} ${said}` : said;
}
