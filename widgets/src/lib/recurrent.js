/** A tanh RNN forward and back again, written to be read beside the book's Python. */
import { matmul, row, transpose, zeros } from "./tensor.js";

/** @typedef {import("./tensor.js").Matrix} Matrix */

/**
 * The weights of a cell, as in Python's `RNNCell`.
 * @typedef {object} RNNWeights
 * @property {Matrix} weight_ih `(H, D)`
 * @property {Matrix} weight_hh `(H, H)`
 * @property {number[]} [bias_ih] `(H,)`; zeros when left out
 * @property {number[]} [bias_hh] `(H,)`; zeros when left out
 */

/**
 * All states of a batch: h_t = tanh(W_ih x_t + b_ih + W_hh h_{t-1} + b_hh).
 * @param {RNNWeights} cell
 * @param {Matrix[]} inputs one `(batch, D)` for each step
 * @param {Matrix} [initial] `(batch, H)`; zeros when left out
 * @returns {Matrix[]} one `(batch, H)` for each step, and before them the initial one
 */
export function rnnStates(cell, inputs, initial) {
  const fromInput = transpose(cell.weight_ih);
  const fromPast = transpose(cell.weight_hh);
  const size = cell.weight_hh.rows;
  const hidden = [initial ?? zeros(inputs[0]?.rows ?? 1, size)];
  for (const x of inputs) {
    const sum = matmul(x, fromInput); // (B, H)
    const past = matmul(hidden[hidden.length - 1], fromPast); // (B, H)
    for (let i = 0; i < sum.data.length; i++) {
      const unit = i % size;
      const bias = (cell.bias_ih?.[unit] ?? 0) + (cell.bias_hh?.[unit] ?? 0);
      sum.data[i] = Math.tanh(sum.data[i] + past.data[i] + bias);
    }
    hidden.push(sum);
  }
  return hidden;
}

/**
 * The gradients of an RNN by hand, from the last step back to the first: Python's
 * `backpropagate_through_time`.
 * @param {RNNWeights} cell
 * @param {Matrix[]} inputs one `(batch, D)` for each step
 * @param {(Matrix | null)[]} outputGradients the loss's gradient at each output by itself,
 *   `(batch, H)`; `null` where an output does not enter the loss
 * @param {Matrix[]} [states] from `rnnStates`, if they are known
 */
export function backpropagateThroughTime(
  cell,
  inputs,
  outputGradients,
  states = rnnStates(cell, inputs),
) {
  const { rows: size, cols } = cell.weight_hh;
  const sums = {
    weight_ih: zeros(size, cell.weight_ih.cols),
    weight_hh: zeros(size, cols),
    bias: new Array(size).fill(0), // both biases have the same gradient
  };
  /** @type {Matrix[]} */
  const atInputs = new Array(inputs.length);
  /** @type {Matrix[]} */
  const atHidden = new Array(inputs.length);
  let fromLater = zeros(states[0].rows, size);
  for (let t = inputs.length - 1; t >= 0; t--) {
    // a state serves twice: as output of its step, and as start of the next one
    atHidden[t] = plus(fromLater, outputGradients[t]);
    const atSum = { ...atHidden[t], data: atHidden[t].data.slice() };
    const after = states[t + 1].data;
    for (let i = 0; i < after.length; i++) atSum.data[i] *= 1 - after[i] ** 2; // tanh' = 1 - tanh²
    addProduct(sums.weight_ih, atSum, inputs[t]);
    addProduct(sums.weight_hh, atSum, states[t]);
    atSum.data.forEach((x, i) => (sums.bias[i % size] += x));
    atInputs[t] = matmul(atSum, cell.weight_ih);
    fromLater = matmul(atSum, cell.weight_hh);
  }
  return { ...sums, inputs: atInputs, hidden: atHidden, initial: fromLater };
}

/** @param {Matrix} a @param {Matrix | null | undefined} b */
function plus(a, b) {
  return b ? { ...a, data: a.data.map((x, i) => x + b.data[i]) } : a;
}

/** sum += aᵀ b. @param {Matrix} sum @param {Matrix} a @param {Matrix} b */
function addProduct(sum, a, b) {
  for (let n = 0; n < a.rows; n++) {
    const [left, right] = [row(a, n), row(b, n)];
    for (let i = 0; i < left.length; i++) {
      const into = row(sum, i);
      for (let j = 0; j < right.length; j++) into[j] += left[i] * right[j];
    }
  }
}
