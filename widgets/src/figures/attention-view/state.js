/** What the figure knows, and the weights that follow from it. */
import { hardLookup, maskedSoftmax } from "../../lib/attention.js";
import { matrix, scaled } from "../../lib/tensor.js";

/** @typedef {import("../../lib/tensor.js").Matrix} Matrix */

/**
 * The traits that change; Python's `AttentionView` has the same.
 * @typedef {object} State
 * @property {number[][] | null} scores `(queries, keys)`, or `null` where weights were given
 * @property {boolean} causal
 * @property {number} temperature 0 = hard look-up
 * @property {number} focus the query whose weights are shown
 */

/**
 * A token, how it is read aloud, what it means; both may be empty.
 * @typedef {{ text: string, reading: string, gloss: string }} Token
 */

/**
 * What an author sets once.
 * @typedef {object} Given
 * @property {Token[]} queries
 * @property {Token[]} keys the same tokens in self-attention
 * @property {boolean} cross
 * @property {number[][] | null} weights `(queries, keys)`, or `null` where scores were given
 * @property {boolean} tour
 */

export const TRAITS = {
  scores: "scores",
  causal: "causal",
  temperature: "temperature",
  focus: "focus",
};

/**
 * @param {import("../../lib/traits.js").Model} model
 * @returns {Given}
 */
export function readGiven(model) {
  /** @param {string} prefix */
  const tokens = (prefix) => {
    const readings = model.get(`${prefix}readings`);
    const glosses = model.get(`${prefix}glosses`);
    return model.get(`${prefix}tokens`).map((/** @type {string} */ text, /** @type {number} */ i) => ({
      text,
      reading: readings[i] ?? "",
      gloss: glosses[i] ?? "",
    }));
  };
  const cross = model.get("cross");
  const queries = tokens("");
  return {
    queries,
    keys: cross ? tokens("key_") : queries,
    cross,
    weights: model.get("given_weights") ?? null,
    tour: model.get("tour"),
  };
}

/**
 * Who may attend to whom; `null` = all to all.
 * @param {State} state
 * @param {Given} given
 */
export function maskOf({ causal }, { queries, keys }) {
  return causal ? queries.map((_, i) => keys.map((_, j) => j <= i)) : null;
}

/**
 * @param {State} state
 * @param {Given} given
 * @returns {Matrix} `(queries, keys)`
 */
export function weightsOf(state, given) {
  const mask = maskOf(state, given);
  if (given.weights) {
    if (!mask) return matrix(given.weights);
    // softmax(log w) = w, and over fewer keys it shares out what is left
    const logs = given.weights.map((row) => row.map(Math.log));
    return maskedSoftmax(
      matrix(logs),
      logs.map((row, i) => row.map((log, j) => mask[i][j] && log > -Infinity)),
    );
  }
  const scores = matrix(state.scores ?? []);
  return state.temperature === 0
    ? hardLookup(scores, mask)
    : maskedSoftmax(scaled(scores, 1 / state.temperature), mask);
}
