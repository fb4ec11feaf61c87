/** What the figure knows: sizes that a reader chooses, and where sliders stop. */
import { dearerAbove, keptNumbers, operations } from "../../lib/costs.js";

/** @typedef {import("../../lib/costs.js").Kind} Kind */
/** @typedef {import("../../lib/costs.js").Sizes} Sizes */
/** @typedef {"length" | "width" | "heads" | "layers"} Size */

/**
 * The traits that a reader can change; Python's `CostBench` has the same.
 * @typedef {Sizes & { measure: import("../../lib/costs.js").Measure }} State
 */

/** Where Python keeps each entry. @type {Record<keyof State, string>} */
export const TRAITS = {
  length: "length",
  width: "width",
  heads: "heads",
  layers: "layers",
  measure: "measure",
  projections: "projections",
  fused: "fused",
  dilated: "dilated",
};

/** The limits of Python's `CostBench`. @type {Record<Size, [number, number]>} */
export const RANGES = { length: [4, 16384], width: [16, 12288], heads: [1, 96], layers: [1, 96] };

const COUNTS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96];
const WIDTHS = [16, 32, 64, 128, 256, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288];
/** Powers of two, and a stop half-way between each two. */
const LENGTHS = Array.from({ length: 25 }, (_, i) => (i % 2 ? 3 * 2 ** ((i + 1) / 2) : 2 ** (i / 2 + 2)));

/** Where a slider stops. Heads must share the width evenly. @param {Size} name @param {State} state */
export function stopsOf(name, { width }) {
  if (name === "length") return LENGTHS;
  if (name === "width") return WIDTHS;
  return name === "layers" ? COUNTS : COUNTS.filter((heads) => width % heads === 0);
}

/** The stop that is nearest, by ratio. @param {number[]} stops @param {number} value */
export function nearest(stops, value) {
  const off = stops.map((stop) => Math.abs(Math.log(stop / value)));
  return off.indexOf(Math.min(...off));
}

/**
 * What a new size brings with it: heads that cannot share a new width give way to fewer.
 * @param {State} state
 * @param {Size} name
 * @param {number} value
 * @returns {Partial<State>}
 */
export function changed(state, name, value) {
  if (name !== "width" || value % state.heads === 0) return { [name]: value };
  const stops = stopsOf("heads", { ...state, width: value });
  return { width: value, heads: Math.max(...stops.filter((heads) => heads <= state.heads)) };
}

/** Whether the heads share the width evenly. @param {State} state */
export const consistent = ({ width, heads }) => width % heads === 0;

/**
 * Sizes of models: what was timed for chapter 12, the first Transformer, BERT base and the largest
 * GPT-3, by Vaswani et al. (2017), Devlin et al. (2019) and Brown et al. (2020).
 * @type {Record<"timed" | "transformer" | "bert" | "gpt3", Pick<State, Size>>}
 */
export const PRESETS = {
  timed: { length: 128, width: 128, heads: 4, layers: 1 },
  transformer: { length: 64, width: 512, heads: 8, layers: 6 },
  bert: { length: 512, width: 768, heads: 12, layers: 12 },
  gpt3: { length: 2048, width: 12288, heads: 96, layers: 96 },
};

/** Whether the sizes are those of a preset. @param {State} state @param {Pick<State, Size>} preset */
export function stands(state, preset) {
  return /** @type {Size[]} */ (Object.keys(preset)).every((name) => state[name] === preset[name]);
}

/**
 * Length above which attention costs more than each other kind, by the chosen measure; `null` for
 * measures of waiting.
 * @param {State} state
 */
export function crossings(state) {
  const { measure } = state;
  if (measure === "steps" || measure === "path") return null;
  const { attention, ...others } = measure === "memory" ? keptNumbers(state) : operations(state);
  const { rnn, lstm, convolution } = others;
  return {
    rnn: dearerAbove(attention, rnn),
    lstm: dearerAbove(attention, lstm),
    convolution: dearerAbove(attention, convolution),
  };
}
