/** All that the parts of the figure draw, worked out once for all of them. */
import { common, mapOf } from "./engine.js";
import { NOTHING, focusOf, wordsMarked } from "./marking.js";
import { silenced } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").View} View */
/** @typedef {import("./engine.js").Translation} Translation */
/** @typedef {import("./marking.js").Marked} Marked */

/** Words shown of a translation that found no end: it says the same again and again. */
const MOST_OF_ENDLESS = 12;

/**
 * What every part draws.
 * @typedef {object} Picture
 * @property {State} state
 * @property {View} view
 * @property {Translation} translation
 * @property {Translation} original by the untouched model
 * @property {boolean} untouched
 * @property {boolean} unread whether what is typed now cannot be read, so that all is of the sentence before
 * @property {import("./engine.js").Step[]} steps those that are shown
 * @property {number} count of them
 * @property {number} more that are written, but not shown: the model found no end
 * @property {boolean[]} kept which of them the untouched model writes too
 * @property {boolean[]} originalKept
 * @property {(number | null)[]} was probability of each with the untouched model
 * @property {number} place in the translation, whose alternatives are shown
 * @property {Float64Array[]} map of the chosen head
 * @property {"layer" | "head" | "heads" | null} silent what of it is switched off
 * @property {number} columns of the map
 * @property {string[]} asking tokens of its rows
 * @property {string[]} answering tokens of its columns
 * @property {Marked} shown what is marked in the map: pointed at, or else chosen
 * @property {{ source: (number | null)[], target: (number | null)[] }} marks the words that are marked
 * @property {import("../../lib/transformer.js").Way | null} chosenWay
 * @property {string} chosenToken
 */

/**
 * @param {object} given
 * @param {State} given.state
 * @param {View} given.view
 * @param {Translation} given.translation
 * @param {Translation} given.original by the untouched model
 * @param {boolean} given.untouched
 * @param {boolean} given.unread
 * @param {Marked} given.marked what the pointer is on
 * @param {import("./engine.js").Engine} given.engine
 * @returns {Picture}
 */
export function pictureOf({ state, view, translation, original, untouched, unread, marked, engine }) {
  const [kept, originalKept] = common(
    translation.steps.map((step) => String(step.token)),
    original.steps.map((step) => String(step.token)),
  );
  const chances = original.steps.filter((_, i) => originalKept[i]).map((step) => step.probability);
  const was = kept.map((same) => (same ? /** @type {number} */ (chances.shift()) : null));
  const all = translation.steps.length;
  const endless = !engine.isStop(translation.steps[all - 1].token);
  const count = Math.min(view.written ?? (endless ? MOST_OF_ENDLESS : Infinity), all);
  const steps = translation.steps.slice(0, count);
  const most = view.side === "target" ? count : translation.source.length;
  const index = Math.min(view.index, most - 1);
  const now = { ...view, index };
  const written = steps.map((step) => engine.textOf(step.token));
  const asking = view.kind === "encoder" ? translation.source : written;
  const answering = view.kind === "decoder" ? [engine.start, ...written.slice(0, -1)] : translation.source;
  const map = mapOf(translation, view.kind, view.layer, view.head, state.off).slice(0, asking.length);
  const shown = marked === NOTHING ? focusOf(now) : marked;
  return {
    state,
    view: now,
    translation,
    original,
    untouched,
    unread,
    steps,
    count,
    more: view.written === null ? all - count : 0,
    kept,
    originalKept,
    was,
    place: view.side === "target" ? index : 0,
    map,
    silent: silenced(state.off, view, engine.config.heads),
    columns: answering.length,
    asking,
    answering,
    shown: within(shown, asking.length, answering.length),
    marks: marked === NOTHING ? { source: [], target: [] } : wordsMarked(view.kind, marked),
    chosenWay: (view.side === "target" ? steps[index]?.way : translation.ways[index]) ?? null,
    chosenToken: (view.side === "target" ? written : translation.source)[index],
  };
}

/** @param {Marked} marked @param {number} rows @param {number} columns @returns {Marked} */
function within({ query, key }, rows, columns) {
  return {
    query: query !== null && query >= 0 && query < rows ? query : null,
    key: key !== null && key >= 0 && key < columns ? key : null,
  };
}
