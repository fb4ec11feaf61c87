/** A dictionary that answers any question: a query that the reader drags among keys in the plane. */
import { announcer } from "../../lib/announce.js";
import { addStyles, element, putText } from "../../lib/dom.js";
import { putFigure } from "../../lib/frame.js";
import { createStore } from "../../lib/store.js";
import { connect, readTraits } from "../../lib/traits.js";
import { createActions } from "./actions.js";
import { createNumberLine } from "./number-line.js";
import { createPlane } from "./plane.js";
import { createRows } from "./rows.js";
import { spokenOf, sumOf } from "./sentences.js";
import { createSliders } from "./sliders.js";
import { MAX_KEYS, TRAITS, consistent, lookUp, reach } from "./state.js";
import style from "./style.css";
import { words as wordsOfPage } from "./words.js";

/** @typedef {import("./state.js").State} State */

/**
 * What every part of the figure is given.
 * @typedef {object} Context
 * @property {import("./words.js").Words} words
 * @property {import("./state.js").Labels} labels
 * @property {import("./actions.js").Actions} actions
 * @property {AbortSignal} signal ends all listeners
 */

/**
 * What every part draws.
 * @typedef {object} Picture
 * @property {State} state
 * @property {import("./state.js").Found} found
 * @property {number | null} marked the key under the pointer or in focus
 * @property {number} half half the width of the plane
 * @property {boolean} touched whether the reader has moved the query
 */

const COLOURS = 8;

/** @param {{ model: import("../../lib/traits.js").Model, el: HTMLElement }} host */
function render({ model, el }) {
  const words = wordsOfPage();
  const ending = new AbortController();
  const labels = { axes: model.get("axes"), unit: model.get("unit") };
  /** @type {State} */
  const example = model.get("example");
  const store = createStore(/** @type {State} */ (readTraits(model, TRAITS)));
  const marking = createStore({ marked: /** @type {number | null} */ (null) });
  const link = connect(model, store, TRAITS, consistent);

  let half = 0;
  let touched = false;
  /** How many keys the parts were built for. */
  let built = 0;
  let building = false;
  /** Which colour each key has; it keeps it when another key is removed. @type {number[]} */
  let colours = [];

  const complaint = element("p", { class: "cb-complaint", role: "status" });
  const actions = createActions({
    get: store.get,
    commit: link.commit,
    mark(marked) {
      // an element that is taken away loses the pointer and the focus: no change to be drawn
      if (!building && marked !== marking.get().marked) marking.set({ marked });
    },
    complain: (text) => putText(complaint, text),
    example,
    half: () => half,
    words,
    signal: ending.signal,
    on(event, index) {
      if (event === "touched") touched = true;
      if (event === "added") rows.focusName(index);
      if (event === "added here") plane.focusKey(index);
      if (event === "removed") {
        colours = colours.toSpliced(index, 1);
        // the button that was pressed goes; its neighbour takes the focus
        queueMicrotask(() => rows.focusRemove(index));
      }
      if (event === "reset") [half, touched, built, colours] = [0, false, 0, []];
    },
  });

  const context = { words, labels, actions, signal: ending.signal };
  const plane = createPlane(context);
  const rows = createRows(context);
  const line = createNumberLine(context);
  const sliders = createSliders(context);
  const add = button(words.add, () => actions.addKey(null));
  const reset = button(words.reset, actions.reset);
  const sum = element("p", { class: "cb-sum" });
  const spoken = announcer();

  const layout = element(
    "div",
    { class: "cb-soft-dictionary" },
    element("p", { class: "cb-guide" }, words.guide),
    plane.node,
    element(
      "div",
      { class: "cb-side" },
      rows.node,
      element("div", { class: "cb-buttons" }, add, reset, complaint),
      sliders.node,
    ),
    element("div", { class: "cb-answer" }, line.node, sum),
    spoken.node,
  );
  putFigure(el, words.title, layout);
  addStyles(el, "soft-dictionary", style);

  /** @param {string} label @param {() => void} press */
  function button(label, press) {
    const node = element("button", { type: "button" }, label);
    node.addEventListener("click", press, { signal: ending.signal });
    return node;
  }

  function update() {
    const start = performance.now();
    const state = store.get();
    if (state.keys.length !== built) rebuild(state.keys.length);
    const points = [...state.keys, state.query];
    // the plane grows for a point from Python, and never under a reader's hand
    if (half === 0) half = reach([...example.keys, example.query]);
    if (Math.max(...points.flat().map(Math.abs)) > half) half = reach(points);
    const mark = marking.get().marked;
    const marked = mark !== null && mark < built ? mark : null;
    const picture = { state, found: lookUp(state), marked, half, touched };
    for (const part of [plane, rows, line, sliders]) part.update(picture);
    add.disabled = state.keys.length >= MAX_KEYS;
    putText(sum, sumOf(context, picture));
    spoken.say(() => spokenOf(context, picture));
    el.dataset.updateMs = (performance.now() - start).toFixed(3);
  }

  /** @param {number} count */
  function rebuild(count) {
    built = count;
    colours = colours.slice(0, count);
    while (colours.length < count) colours.push(leastUsed(colours));
    const names = colours.map((colour) => `var(--cb-key-${colour})`);
    building = true;
    for (const part of [plane, rows, line]) part.rebuild(names);
    building = false;
  }

  const stops = [store.subscribe(update), marking.subscribe(update), link.stop, spoken.stop];
  update();
  return () => {
    ending.abort();
    for (const stop of stops) stop();
  };
}

/** The first colour of those that the fewest keys have. @param {number[]} used */
function leastUsed(used) {
  const counts = Array.from({ length: COLOURS }, (_, i) => used.filter((one) => one === i).length);
  return counts.indexOf(Math.min(...counts));
}

export default { render };
