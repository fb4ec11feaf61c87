/** One step of a recurrent cell, to be read beside the book's Python (`contextbook.recurrent`). */
import { linear, sigmoid } from "./vectors.js";

/** @typedef {import("./vectors.js").Vector} Vector */
/** @typedef {import("./weights.js").Tensor} Tensor */
/**
 * @typedef {object} CellWeights
 * @property {Tensor} weight_ih
 * @property {Tensor} weight_hh
 * @property {Tensor} bias_ih
 * @property {Tensor} bias_hh
 */
/** A cell's state: the hidden state, and an LSTM's cell. @typedef {{ hidden: Vector, cell: Vector | null }} State */

/** @typedef {(weights: CellWeights, x: Vector, state: State) => State} Step */

/** h' = tanh(W x + b + U h + b'). @type {Step} */
function rnn(weights, x, { hidden }) {
  const fromInput = linear(weights.weight_ih, weights.bias_ih, x);
  const fromPast = linear(weights.weight_hh, weights.bias_hh, hidden);
  return { hidden: fromInput.map((sum, i) => Math.tanh(sum + fromPast[i])), cell: null };
}

/** Rows in PyTorch's order: input gate, forget gate, candidate, output gate. @type {Step} */
function lstm(weights, x, { hidden, cell }) {
  const fromInput = linear(weights.weight_ih, weights.bias_ih, x);
  const fromPast = linear(weights.weight_hh, weights.bias_hh, hidden);
  const size = hidden.length;
  const before = cell ?? new Float64Array(size);
  const next = new Float64Array(size);
  const shown = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    /** @param {number} block */
    const sum = (block) => fromInput[block * size + i] + fromPast[block * size + i];
    next[i] = sigmoid(sum(1)) * before[i] + sigmoid(sum(0)) * Math.tanh(sum(2));
    shown[i] = sigmoid(sum(3)) * Math.tanh(next[i]);
  }
  return { hidden: shown, cell: next };
}

/** Rows in PyTorch's order: reset gate, update gate, candidate. @type {Step} */
function gru(weights, x, { hidden }) {
  const fromInput = linear(weights.weight_ih, weights.bias_ih, x);
  const fromPast = linear(weights.weight_hh, weights.bias_hh, hidden);
  const size = hidden.length;
  const next = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    const reset = sigmoid(fromInput[i] + fromPast[i]);
    const update = sigmoid(fromInput[size + i] + fromPast[size + i]);
    const candidate = Math.tanh(fromInput[2 * size + i] + reset * fromPast[2 * size + i]);
    next[i] = update * hidden[i] + (1 - update) * candidate;
  }
  return { hidden: next, cell: null };
}

/** @type {Record<string, Step>} */
export const CELLS = { rnn, lstm, gru };

/** @param {number} size @returns {State} zeros, before the first step */
export function firstState(size) {
  return { hidden: new Float64Array(size), cell: new Float64Array(size) };
}
