/** What a reader can set, and what they look at. */

/**
 * The traits that change; Python's `LiveTransformer` has the same.
 * @typedef {object} State
 * @property {string[]} sentence words of the source, without the stop token
 * @property {number} temperature
 * @property {boolean} scale
 * @property {boolean} positions
 * @property {boolean} residuals
 * @property {string[]} off heads and layers that are switched off: "decoder.1.cross.3", "encoder.0"
 * @property {Record<string, string>} forced words that the reader writes, by step
 * @property {number} width of the beam; 1 is greedy
 */
/** @typedef {"encoder" | "cross" | "decoder"} Kind */
/**
 * What is looked at; it changes nothing in the model.
 * @typedef {object} View
 * @property {Kind} kind
 * @property {number} layer
 * @property {number} head −1: the mean of all
 * @property {"source" | "target"} side of the chosen word
 * @property {number} index of the chosen word
 * @property {number | null} written words shown of the translation; `null` for all
 * @property {number} step of the tour; 0 when it is left
 */

export const TRAITS = {
  sentence: "sentence",
  temperature: "temperature",
  scale: "scale",
  positions: "positions",
  residuals: "residuals",
  off: "off",
  forced: "forced",
  width: "width",
};

/** @type {Omit<State, "sentence">} */
export const UNTOUCHED = {
  temperature: 1,
  scale: true,
  positions: true,
  residuals: true,
  off: [],
  forced: {},
  width: 1,
};

export const KINDS = /** @type {Kind[]} */ (["encoder", "cross", "decoder"]);
export const WIDE = 4;
export const TEMPERATURES = /** @type {[number, number]} */ ([0.1, 4]);
/** Words that a sentence may have, the full stop included. */
export const MOST_WORDS = 32;

/** Whether the model is as it was trained. @param {State} state */
export function isUntouched(state) {
  return (
    state.temperature === 1 &&
    state.scale &&
    state.positions &&
    state.residuals &&
    state.off.length === 0 &&
    Object.keys(state.forced).length === 0
  );
}

/**
 * The part of the model that a map belongs to.
 * @param {Kind} kind
 * @param {number} layer
 */
export function layerOf(kind, layer) {
  return `${kind === "encoder" ? "encoder" : "decoder"}.${layer}`;
}

/** @param {Kind} kind @param {number} layer @param {number} head */
export function headOf(kind, layer, head) {
  return `${layerOf(kind, layer)}.${kind === "cross" ? "cross" : "self"}.${head}`;
}

/**
 * What of a map is switched off: its layer, its head, or, where a mean is looked at, all heads.
 * @param {string[]} off
 * @param {{ kind: Kind, layer: number, head: number }} view head −1: the mean
 * @param {number} heads that a layer has
 * @returns {"layer" | "head" | "heads" | null}
 */
export function silenced(off, { kind, layer, head }, heads) {
  if (off.includes(layerOf(kind, layer))) return "layer";
  const silent = (/** @type {number} */ one) => off.includes(headOf(kind, layer, one));
  if (head >= 0) return silent(head) ? "head" : null;
  return Array.from({ length: heads }, (_, one) => one).every(silent) ? "heads" : null;
}

/** Every layer and head of a model, by the names that `off` may hold. @param {{ layers: number, heads: number }} config */
export function partsOf({ layers, heads }) {
  /** @type {string[]} */
  const parts = [];
  for (let layer = 0; layer < layers; layer++) {
    parts.push(layerOf("encoder", layer), layerOf("decoder", layer));
    for (const kind of KINDS) for (let head = 0; head < heads; head++) parts.push(headOf(kind, layer, head));
  }
  return parts;
}

/**
 * What is wrong with a state, made right: words that the model does not know end it all, anything else
 * falls back to the untouched model.
 * @param {Partial<Record<keyof State, unknown>>} given
 * @param {import("./engine.js").Engine} engine
 * @returns {Partial<State>}
 */
export function sanitised(given, engine) {
  /** @type {Partial<State>} */
  const clean = {};
  const { sentence, temperature, off, forced } = given;
  if (
    Array.isArray(sentence) &&
    sentence.length > 0 &&
    sentence.length <= MOST_WORDS &&
    sentence.every((word) => engine.knows(word))
  ) {
    clean.sentence = sentence;
  }
  const [coldest, hottest] = TEMPERATURES;
  if (typeof temperature === "number" && temperature >= coldest && temperature <= hottest) {
    clean.temperature = temperature;
  }
  for (const name of /** @type {const} */ (["scale", "positions", "residuals"])) {
    const value = given[name];
    if (typeof value === "boolean") clean[name] = value;
  }
  if (Array.isArray(off)) clean.off = partsOf(engine.config).filter((part) => off.includes(part));
  if (forced && typeof forced === "object") {
    clean.forced = Object.fromEntries(
      Object.entries(forced).filter(
        ([step, token]) => /^\d+$/.test(step) && Number(step) < engine.longest && engine.writes(token),
      ),
    );
  }
  if (given.width === 1 || given.width === WIDE) clean.width = given.width;
  return clean;
}
