/** What the figure knows, and what follows from it: the gradient at each distance. */
import { backpropagateThroughTime, rnnStates } from "../../lib/recurrent.js";
import { matrix, row, scaled, zeros } from "../../lib/tensor.js";

/** @typedef {import("../../lib/tensor.js").Matrix} Matrix */

/**
 * What an author sets once; Python's `GradientBench` has the same.
 * @typedef {object} Data
 * @property {number[][]} random recurrent weights of spectral radius 1, `(H, H)`
 * @property {number[][]} turn orthogonal ones
 * @property {number[][]} weight_ih `(H, D)`
 * @property {string} signs of the inputs, four in each hexadecimal digit: step, sequence, feature
 * @property {string} direction signs, sequence after sequence: what the loss makes of the last state
 */

/**
 * The traits that a reader can change.
 * @typedef {object} State
 * @property {number} radius
 * @property {number} input_size
 * @property {number} length
 * @property {"random" | "orthogonal"} weights
 * @property {number} distance
 */

/** Where Python keeps each entry. @type {Record<keyof State, string>} */
export const TRAITS = {
  radius: "radius",
  input_size: "input_size",
  length: "length",
  weights: "weights",
  distance: "distance",
};

/** The limits of Python's `GradientBench`. */
export const MIN_RADIUS = 0.1;
export const MAX_RADIUS = 2.5;
export const MAX_INPUT = 1.5;
export const MIN_LENGTH = 8;
export const MAX_LENGTH = 128;

/** @type {Record<"vanish" | "keep" | "explode", Omit<State, "distance">>} */
export const PRESETS = {
  vanish: { radius: 0.9, input_size: 0.3, length: MAX_LENGTH, weights: "random" },
  keep: { radius: 1, input_size: 0.01, length: MAX_LENGTH, weights: "orthogonal" },
  explode: { radius: 2, input_size: 0.01, length: MAX_LENGTH, weights: "random" },
};

/**
 * What does not change while the reader moves sliders.
 * @typedef {ReturnType<typeof createNet>} Net
 */

/** @param {Data} data */
export function createNet({ random, turn, weight_ih, signs, direction }) {
  const features = weight_ih[0].length;
  const size = random.length;
  const ends = unpacked(direction);
  const sequences = ends.length / size;
  const flat = unpacked(signs);
  const step = sequences * features;
  return {
    weights: { random: matrix(random), orthogonal: matrix(turn) },
    weight_ih: matrix(weight_ih),
    /** One `(sequences, D)` for each step. */
    inputs: Array.from({ length: flat.length / step }, (_, t) => ({
      rows: sequences,
      cols: features,
      data: flat.slice(t * step, (t + 1) * step),
    })),
    /** The gradient of the mean loss at the last state. */
    ends: scaled({ rows: sequences, cols: size, data: ends }, 1 / (sequences * Math.sqrt(size))),
  };
}

/**
 * Signs, four from each hexadecimal digit: 1 for a bit that is set, else -1.
 * @param {string} digits
 */
function unpacked(digits) {
  const bits = [...digits].flatMap((digit) => [8, 4, 2, 1].map((bit) => parseInt(digit, 16) & bit));
  return Float64Array.from(bits, (bit) => (bit ? 1 : -1));
}

/**
 * @typedef {object} Found
 * @property {number[]} curve the gradient at each distance, relative to distance 0
 * @property {number | null} half the first distance at which less than half is left
 * @property {number} norm length of the gradient for the recurrent weights
 * @property {number} slope the mean slope of tanh
 */

/**
 * Forward through time and back again.
 * @param {Net} net
 * @param {State} state
 * @returns {Found}
 */
export function measure(net, { radius, input_size, length, weights }) {
  const cell = { weight_ih: net.weight_ih, weight_hh: scaled(net.weights[weights], radius) };
  const inputs = net.inputs.slice(0, length).map((x) => scaled(x, input_size));
  const states = rnnStates(cell, inputs, zeros(net.ends.rows, net.ends.cols));
  const atOutputs = inputs.map((_, t) => (t === length - 1 ? net.ends : null));
  const gradients = backpropagateThroughTime(cell, inputs, atOutputs, states);
  const sizes = gradients.inputs.map(meanLength).reverse();
  const curve = sizes.map((x) => x / sizes[0]);
  const half = curve.findIndex((x) => x < 0.5);
  return {
    curve,
    half: half < 0 ? null : half,
    norm: Math.hypot(...gradients.weight_hh.data),
    slope: mean(states.slice(1).map(({ data }) => mean(Array.from(data, (h) => 1 - h ** 2)))),
  };
}

/** @param {Matrix} a mean length of its rows */
function meanLength(a) {
  return mean(Array.from({ length: a.rows }, (_, i) => Math.hypot(...row(a, i))));
}

/** @param {number[]} numbers */
function mean(numbers) {
  return numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
}

/** The distance that is read off. @param {State} state */
export const distanceOf = ({ distance, length }) => Math.min(distance, length - 1);

/** The preset that the figure stands at, if it does. @param {State} state */
export function presetOf(state) {
  const now = /** @type {Record<string, unknown>} */ ({ ...state });
  return Object.entries(PRESETS).find(([, preset]) =>
    Object.entries(preset).every(([name, value]) => now[name] === value),
  )?.[0];
}
