/**
 * Attention, equation (1) of Vaswani et al. (2017): softmax(Q Kᵀ · scale / temperature) V.
 * The same as `contextbook.attention`, with the temperature that the figures turn.
 */
import { matmul, row, scaled, transpose, zeros } from "./tensor.js";

/** @typedef {import("./tensor.js").Matrix} Matrix */
/** Who may attend to whom, `[query][key]`; `true` = may attend. @typedef {boolean[][]} Mask */

/**
 * Scores this close to the best one, relative to it, count as equal in a hard look-up: two equal
 * products may differ in their last digit by the order in which they were summed.
 */
export const TIE = 1e-9;

/**
 * Softmax over the keys that each query may attend to; a query that may attend to none gets zeros.
 * @param {Matrix} scores `(queries, keys)`
 * @param {Mask | null} [mask] `(queries, keys)`
 * @returns {Matrix} weights `(queries, keys)`
 */
export function maskedSoftmax(scores, mask = null) {
  checkMask(scores, mask);
  const weights = zeros(scores.rows, scores.cols);
  for (let i = 0; i < scores.rows; i++) {
    const best = bestScore(row(scores, i), mask?.[i]);
    let total = 0;
    for (let j = 0; j < scores.cols; j++) {
      if (mask && !mask[i][j]) continue;
      // minus the best score: the weights stay the same, and no exponential overflows
      const weight = Math.exp(scores.data[i * scores.cols + j] - best);
      weights.data[i * scores.cols + j] = weight;
      total += weight;
    }
    if (total > 0) row(weights, i).forEach((weight, j, all) => (all[j] = weight / total));
  }
  return weights;
}

/**
 * The limit of the softmax as the temperature goes to 0: all weight on the best key, or equal
 * shares where several are best.
 * @param {Matrix} scores `(queries, keys)`
 * @param {Mask | null} [mask] `(queries, keys)`
 * @returns {Matrix} weights `(queries, keys)`
 */
export function hardLookup(scores, mask = null) {
  checkMask(scores, mask);
  const best = Array.from({ length: scores.rows }, (_, i) => {
    const top = bestScore(row(scores, i), mask?.[i]);
    const nearly = top - TIE * Math.max(1, Math.abs(top));
    return Array.from(row(scores, i), (score, j) => (mask ? mask[i][j] : true) && score >= nearly);
  });
  return maskedSoftmax(zeros(scores.rows, scores.cols), best);
}

/**
 * @param {Matrix} query `(queries, d_k)`
 * @param {Matrix} key `(keys, d_k)`
 * @param {Matrix} value `(keys, d_v)`
 * @param {{ mask?: Mask | null, scale?: number, temperature?: number }} [options]
 *   `mask` `(queries, keys)`; `scale` is 1/√d_k unless given; `temperature` 0 is the hard look-up.
 * @returns {{ scores: Matrix, weights: Matrix, output: Matrix }}
 *   `scores` (scaled, before temperature and mask) and `weights` `(queries, keys)`,
 *   `output` `(queries, d_v)`
 */
export function scaledDotProductAttention(query, key, value, options = {}) {
  const { mask = null, scale = query.cols ** -0.5, temperature = 1 } = options;
  const scores = scaled(matmul(query, transpose(key)), scale);
  const weights =
    temperature === 0
      ? hardLookup(scores, mask)
      : maskedSoftmax(scaled(scores, 1 / temperature), mask);
  return { scores, weights, output: matmul(weights, value) };
}

/**
 * @param {ArrayLike<number>} scores of one query
 * @param {boolean[]} [mask]
 */
function bestScore(scores, mask) {
  let best = -Infinity;
  for (let j = 0; j < scores.length; j++) {
    if ((!mask || mask[j]) && scores[j] > best) best = scores[j];
  }
  return best;
}

/**
 * @param {Matrix} scores
 * @param {Mask | null} mask
 */
function checkMask(scores, mask) {
  if (mask && (mask.length !== scores.rows || mask.some((one) => one.length !== scores.cols))) {
    throw new RangeError(
      `a mask of ${mask.length} rows of ${mask[0]?.length ?? 0} does not fit scores ` +
        `(${scores.rows}, ${scores.cols})`,
    );
  }
}
