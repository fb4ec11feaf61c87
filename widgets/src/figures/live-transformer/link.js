/** Links that carry the reader's sentence and settings: what a teacher sends, and what a bad one becomes. */
import { UNTOUCHED } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").View} View */

const OPENING = "#live?";
const STEP = /^#step-(\d{1,3})$/;
const SWITCHES = /** @type {const} */ (["scale", "positions", "residuals"]);

/**
 * The part of an address behind its "#".
 * @param {State} state
 * @param {View} view
 */
export function hashOf(state, { kind, layer, head }) {
  const given = new URLSearchParams({ s: state.sentence.join(" ") });
  if (state.temperature !== UNTOUCHED.temperature) given.set("temperature", String(state.temperature));
  for (const name of SWITCHES) if (!state[name]) given.set(name, "off");
  if (state.off.length) given.set("off", state.off.join(" "));
  if (state.width !== UNTOUCHED.width) given.set("beam", String(state.width));
  for (const [step, word] of Object.entries(state.forced)) given.append("force", `${step} ${word}`);
  given.set("map", `${kind} ${layer + 1} ${head + 1}`);
  return OPENING + given;
}

/**
 * What a link asks for, as it stands there: nothing of it is believed yet.
 * @param {string} hash
 * @returns {{ step: number | null, text: string | null, state: Partial<Record<keyof State, unknown>>, map: string[] } | null}
 *   `null` where it is none of ours; `text` is the sentence as a reader would type it
 */
export function readHash(hash) {
  const step = STEP.exec(hash);
  if (step) return { step: Number(step[1]), text: null, state: {}, map: [] };
  if (!hash.startsWith(OPENING)) return null;
  const given = new URLSearchParams(hash.slice(OPENING.length));
  /** @type {Record<string, unknown>} */
  const state = { ...UNTOUCHED };
  if (given.has("temperature")) state.temperature = Number(given.get("temperature"));
  for (const name of SWITCHES) if (given.get(name) === "off") state[name] = false;
  state.off = (given.get("off") ?? "").split(" ").filter(Boolean);
  state.forced = Object.fromEntries(given.getAll("force").map((one) => one.split(" ", 2)));
  if (given.has("beam")) state.width = Number(given.get("beam"));
  return { step: null, text: given.get("s"), state, map: (given.get("map") ?? "").split(" ") };
}

/**
 * @param {string[]} map kind, layer and head, counted from 1; head 0 is the mean
 * @param {{ layers: number, heads: number }} config
 * @returns {Partial<View>}
 */
export function viewOf([kind, layer, head], { layers, heads }) {
  const [at, which] = [Number(layer) - 1, Number(head) - 1];
  const fits = ["encoder", "cross", "decoder"].includes(kind) && at >= 0 && at < layers && which >= -1 && which < heads;
  if (!fits || !Number.isInteger(at) || !Number.isInteger(which)) return {};
  return { kind: /** @type {import("./state.js").Kind} */ (kind), layer: at, head: which };
}
