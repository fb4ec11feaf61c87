/**
 * How strongly each feature of a recurrent network depends on each input: the lengths of the
 * Jacobians ∂f_t / ∂x_s, exactly, by the chain rule. Python's `contextbook.probes.influence`.
 */
import { rnnStates } from "./recurrent.js";
import { matmul, matrix, row, transpose, zeros } from "./tensor.js";

/** @typedef {import("./tensor.js").Matrix} Matrix */

/**
 * One cell and the direction in which it reads, as Python sends it.
 * @typedef {object} Reader
 * @property {number[][]} weight_ih `(H, D)`
 * @property {number[][]} weight_hh `(H, H)`
 * @property {number[]} bias `(H,)`, both of the cell's added
 * @property {boolean} backwards from the last word to the first
 */

/**
 * An embedding, layers of readers whose states are joined, and a matrix that makes an answer.
 * @typedef {object} Network
 * @property {number[][]} embedding `(words, D)`
 * @property {Reader[][]} layers
 * @property {number[][]} weight `(classes, F)`
 * @property {number[]} bias `(classes,)`
 */

/**
 * What a layer gives out: a vector for each step, and its Jacobian by each input, `[t][s]`. `null`
 * where no path leads from that input, so that what is out of reach is told from what is small.
 * @typedef {{ vectors: Matrix, jacobians: (Matrix | null)[][] }} Reading
 */

/**
 * @param {Network} network
 * @param {number[]} ids of the words
 * @returns {Reading} features `(time, F)`, Jacobians `(F, D)`
 */
export function read(network, ids) {
  const inputs = matrix(ids.map((id) => network.embedding[id]));
  /** @type {Reading} */
  let reading = {
    vectors: inputs,
    jacobians: ids.map((_, t) => ids.map((_, s) => (s === t ? identity(inputs.cols) : null))),
  };
  for (const readers of network.layers) {
    reading = joined(readers.map((reader) => readWith(reader, reading)));
  }
  return reading;
}

/**
 * @param {Reading} reading
 * @returns {(number | null)[][]} `[t][s]`: how strongly feature `t` depends on input `s`, the root of
 *   the sum of the Jacobian's squares; `null` where it cannot
 */
export function influences({ jacobians }) {
  return jacobians.map((all) => all.map((one) => one && Math.hypot(...one.data)));
}

/**
 * @param {Network} network
 * @param {Reading} reading
 * @param {number} t
 * @returns {number[]} the probability of each class at step `t`
 */
export function answer({ weight, bias }, { vectors }, t) {
  const feature = row(vectors, t);
  const logits = weight.map((line, c) => line.reduce((sum, w, i) => sum + w * feature[i], bias[c]));
  const best = Math.max(...logits);
  const shares = logits.map((logit) => Math.exp(logit - best));
  const total = shares.reduce((sum, share) => sum + share);
  return shares.map((share) => share / total);
}

/** @param {Reader} reader @param {Reading} below @returns {Reading} */
function readWith({ weight_ih, weight_hh, bias, backwards }, below) {
  const fromInput = matrix(weight_ih);
  const fromPast = matrix(weight_hh);
  const size = fromPast.rows;
  const time = below.vectors.rows;
  const order = Array.from({ length: time }, (_, t) => (backwards ? time - 1 - t : t));
  const inputs = order.map((t) => matrix([row(below.vectors, t)]));
  const cell = { weight_ih: fromInput, weight_hh: fromPast, bias_ih: bias };
  const [, ...states] = rnnStates(cell, inputs);
  const vectors = zeros(time, size);
  /** @type {(Matrix | null)[][]} */
  const jacobians = new Array(time);
  /** @type {(Matrix | null)[]} */
  let before = new Array(time).fill(null);
  order.forEach((t, step) => {
    const state = states[step].data;
    vectors.data.set(state, t * size);
    before = before.map((past, s) =>
      slopes(state, product(fromInput, below.jacobians[t][s]), product(fromPast, past)),
    );
    jacobians[t] = before;
  });
  return { vectors, jacobians };
}

/** tanh' (a + b), row by row. @param {Float64Array} state @param {Matrix | null} a @param {Matrix | null} b */
function slopes(state, a, b) {
  const some = a ?? b;
  if (!some) return null;
  const result = zeros(some.rows, some.cols);
  for (let i = 0; i < result.data.length; i++) {
    const sum = (a?.data[i] ?? 0) + (b?.data[i] ?? 0);
    result.data[i] = (1 - state[Math.floor(i / some.cols)] ** 2) * sum; // tanh' = 1 - tanh²
  }
  return result;
}

/** @param {Matrix} weights @param {Matrix | null} jacobian */
function product(weights, jacobian) {
  return jacobian && matmul(weights, jacobian);
}

/** Readings side by side: [a ; b]. @param {Reading[]} parts @returns {Reading} */
function joined(parts) {
  const [first] = parts;
  if (parts.length === 1) return first;
  const sizes = parts.map(({ vectors }) => vectors.cols);
  return {
    vectors: transpose(below(parts.map(({ vectors }) => transpose(vectors)))),
    jacobians: first.jacobians.map((all, t) =>
      all.map((_, s) => {
        const blocks = parts.map(({ jacobians }) => jacobians[t][s]);
        const some = blocks.find(Boolean);
        return some ? below(blocks.map((block, i) => block ?? zeros(sizes[i], some.cols))) : null;
      }),
    ),
  };
}

/** Matrices one below the other. @param {Matrix[]} blocks @returns {Matrix} */
function below(blocks) {
  const result = zeros(blocks.reduce((sum, { rows }) => sum + rows, 0), blocks[0].cols);
  let at = 0;
  for (const { data } of blocks) {
    result.data.set(data, at);
    at += data.length;
  }
  return result;
}

/** @param {number} size */
function identity(size) {
  const result = zeros(size, size);
  for (let i = 0; i < size; i++) result.data[i * size + i] = 1;
  return result;
}
