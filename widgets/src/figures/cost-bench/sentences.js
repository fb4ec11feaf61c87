/** The picture in words. */
import { KINDS, MEASURES, convolutionLayers, convolutionReach, count } from "../../lib/costs.js";
import { fill } from "../../lib/words.js";
import { crossings } from "./state.js";

/** @typedef {import("../../lib/costs.js").Measure} Measure */
/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */
/** @typedef {import("./words.js").Words} Words */

/** Bytes of a number. */
export const BYTES = 4;

/** Three digits. @param {number} x */
function digits(x) {
  const rounded = Number(x.toPrecision(3));
  return rounded.toLocaleString("en", { maximumFractionDigits: 10 });
}

/**
 * A count or a number of bytes, with a unit for each thousandfold.
 * @param {number} x
 * @param {string} units from ones on, a blank between two
 */
function inUnits(x, units) {
  const names = units.split(" ");
  // by what is shown: 999,999 is 1 M
  const power = Math.log10(Number(x.toPrecision(3)));
  const step = Math.min(names.length, Math.floor(power / 3 + 1e-9));
  return step > 0 ? `${digits(x / 1000 ** step)}\u00a0${names[step - 1]}` : digits(x);
}

/**
 * What a measure says, as a reader sees it. Few steps are said in full.
 * @param {Words} words
 * @param {Measure} measure
 * @param {number} value memory in numbers
 */
export function quantity(words, measure, value) {
  if (measure === "memory") {
    const bytes = BYTES * value;
    return bytes < 999.5 ? `${digits(bytes)}\u00a0${words.byte}` : inUnits(bytes, words.bytes);
  }
  if (measure === "operations") return inUnits(value, words.thousands);
  return value.toLocaleString("en");
}

/** How many times as much. @param {number} one @param {number} other */
export function times(one, other) {
  const ratio = one / other;
  return ratio < 0.01 ? "< 0.01" : digits(Number(ratio.toPrecision(2)));
}

/** What is read off at the chosen length. @param {Context} context @param {Picture} picture */
export function readingOf({ words }, { state, counts }) {
  const { measure, length, heads, layers } = state;
  const found = counts[measure];
  const values = Object.fromEntries(
    KINDS.map((kind) => [kind, quantity(words, measure, found[kind])]),
  );
  const sizes = { length: length.toLocaleString("en"), heads, layers };
  if (measure === "operations" || (measure === "memory" && state.fused)) {
    const phrase = measure === "memory" ? words.reading_fused : words.reading_operations;
    const { attention, rnn, lstm } = found;
    const ratios = { more_rnn: times(attention, rnn), more_lstm: times(attention, lstm) };
    return fill(phrase, { ...values, ...ratios, ...sizes });
  }
  if (measure === "memory") {
    const share = (100 * layers * heads * length ** 2) / found.attention;
    return fill(words.reading_memory, { ...values, ...sizes, share: share.toFixed(0) });
  }
  const phrase = measure === "steps" ? words.reading_steps : words.reading_path;
  return fill(phrase, { ...values, ...sizes });
}

/** Where attention begins to cost more. @param {Context} context @param {Picture} picture */
export function crossingOf({ words }, { state }) {
  const found = crossings(state);
  if (!found) return state.measure === "steps" ? words.grow_steps : words.grow_path;
  const parts = /** @type {const} */ (["rnn", "lstm", "convolution"]).map((kind) => {
    const above = found[kind];
    if (above === 0) return fill(words.dearer_always, { name: words.the[kind] });
    if (above === Infinity) return fill(words.dearer_never, { name: words.the[kind] });
    return fill(words.dearer_above, { name: words.the[kind], length: digits4(above) });
  });
  const phrase = state.measure === "memory" ? words.dearer_memory : words.dearer_operations;
  return fill(phrase, { parts: parts.join(", ") });
}

/** A length, which a crossing need not meet exactly. @param {number} x */
const digits4 = (x) => Number(x.toFixed(x < 100 ? 1 : 0)).toLocaleString("en");

/** Whether the convolution sees the first token. @param {Context} context @param {Picture} picture */
export function reachOf({ words }, { state: { length, layers, dilated } }) {
  const reach = convolutionReach(layers, dilated);
  const values = { layers, distance: (length - 1).toLocaleString("en") };
  if (reach >= length - 1) return fill(words.reaches, values);
  const needed = convolutionLayers(length - 1, dilated).toLocaleString("en");
  return fill(words.too_short, { ...values, reach: reach.toLocaleString("en"), needed });
}

/** What a listener needs in place of the picture. @param {Context} context @param {Picture} picture */
export function spokenOf(context, picture) {
  const { words } = context;
  const { state, counts } = picture;
  const all = KINDS.map((kind) =>
    fill(words.spoken_kind, {
      name: words[kind],
      ...Object.fromEntries(MEASURES.map((m) => [m, quantity(words, m, counts[m][kind])])),
    }),
  );
  const sizes = fill(words.spoken_sizes, {
    length: state.length,
    width: state.width,
    heads: state.heads,
    layers: state.layers,
  });
  return [sizes, ...all, crossingOf(context, picture), reachOf(context, picture)].join(" ");
}

/**
 * What all measures say of all kinds.
 * @param {import("./state.js").State} state
 */
export function countAll(state) {
  return {
    operations: count("operations", state),
    steps: count("steps", state),
    path: count("path", state),
    memory: count("memory", state),
  };
}
