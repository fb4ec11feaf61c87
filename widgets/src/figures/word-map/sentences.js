/** The picture in words. */
import { format } from "../../lib/numbers.js";
import { fill } from "../../lib/words.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const SPOKEN = 3;

/**
 * What the query is.
 * @param {Context} context
 * @param {Picture} picture
 */
export function askedOf({ words, space }, { state, found }) {
  if (state.asks === "word") return fill(words.asks_word, { word: state.word });
  if (state.asks === "analogy") return analogyOf({ words, space }, { state, found });
  const others = space.directions[0].length - 2;
  const [x, y] = state.place.map((one) => format(one));
  return fill(others ? words.asks_place : words.asks_plane, { x, y, others });
}

/**
 * The analogy with its answer, and how the author's own answer fared.
 * @param {Pick<Context, "words" | "space">} context
 * @param {Pick<Picture, "state" | "found">} picture
 */
function analogyOf({ words, space }, { state, found }) {
  if (!found.byCosine.length) return words.nothing_shown;
  const [a, b, c] = state.analogy;
  const answer = space.words[found.byCosine[0]];
  const said = fill(words.asks_analogy, { a, b, c, answer });
  const known = space.analogies.find((one) => one.words.join() === state.analogy.join());
  if (!known) return said;
  const { expected } = known;
  if (expected === answer) return `${said} ${words.as_expected}`;
  const rank = found.byCosine.indexOf(space.number(expected)) + 1;
  const missed = rank ? fill(words.missed, { expected, rank }) : fill(words.hidden, { expected });
  return `${said} ${missed}`;
}

/**
 * How a dot product comes about: for the word that is marked, or else for the first of that ranking.
 * @param {Context} context
 * @param {Picture} picture
 */
export function productOf({ words, space }, { found, marked }) {
  const i = marked ?? found.byProduct[0];
  if (i === undefined) return words.nothing_shown;
  if (found.length < 1e-9) return words.no_direction;
  return fill(words.product_of, {
    word: space.words[i],
    cosine: format(found.cosines[i]),
    length: format(space.lengths[i]),
    query: format(found.length),
    product: format(found.products[i]),
  });
}

/**
 * What a listener needs in place of the picture: the query and both rankings.
 * @param {Context} context
 * @param {Picture} picture
 */
export function spokenOf(context, picture) {
  const { words, space } = context;
  const { found } = picture;
  if (!found.byCosine.length) return words.nothing_shown;
  const first = (/** @type {number[]} */ ranking, /** @type {number[]} */ scores) =>
    ranking
      .slice(0, SPOKEN)
      .map((i) => `${space.words[i]} ${format(scores[i])}`)
      .join(", ");
  return fill(words.spoken, {
    asked: askedOf(context, picture),
    cosine: first(found.byCosine, found.cosines),
    product: first(found.byProduct, found.products),
  });
}
