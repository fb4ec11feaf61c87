/** The picture in words. */
import { format, short } from "../../lib/numbers.js";
import { fill } from "../../lib/words.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const MOST_TERMS = 4;

/**
 * The sum that gives the mixed value, its largest terms first.
 * @param {Context} context
 * @param {Picture} picture
 */
export function sumOf({ words }, { state, found }) {
  if (!state.mask.some(Boolean)) return words.all_masked;
  const terms = heaviest(found.weights)
    .filter((i) => found.weights[i] >= 0.005)
    // no line may break within a product
    .map((i) => `${format(found.weights[i])}\u00a0×\u00a0${short(state.values[i])}`);
  const shown = terms.length > MOST_TERMS ? [...terms.slice(0, MOST_TERMS), "…"] : terms;
  return fill(words.sum, { terms: shown.join(" + "), value: format(found.output) });
}

/**
 * What a listener needs in place of the picture: the query, the top weights, the mixed value.
 * @param {Context} context
 * @param {Picture} picture
 */
export function spokenOf({ words, labels }, { state, found }) {
  if (!state.mask.some(Boolean)) return words.all_masked;
  const weights = heaviest(found.weights)
    .slice(0, 3)
    .map((i) => `${state.names[i]} ${format(found.weights[i])}`);
  return fill(words.spoken, {
    place: placeOf(words, labels, state.query),
    weights: weights.join(", "),
    value: amountOf(words, labels, found.output),
  });
}

/**
 * @param {Context["words"]} words
 * @param {Context["labels"]} labels
 * @param {[number, number]} point
 */
export function placeOf(words, { axes: [across, up] }, [x, y]) {
  return fill(words.place, { across: format(x), right: across[1], up: format(y), top: up[1] });
}

/**
 * @param {Context["words"]} words
 * @param {Context["labels"]} labels
 * @param {number} value
 */
export function amountOf(words, { unit }, value) {
  return fill(words.amount, { value: format(value), unit }).trim();
}

/** Indices, the heaviest weight first. @param {number[]} weights */
function heaviest(weights) {
  return weights.map((_, i) => i).sort((i, j) => weights[j] - weights[i]);
}
