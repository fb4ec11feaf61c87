/** Who attends to whom: arcs from the chosen token to all others, and the matrix of all weights. */
import { addStyles, element } from "../../lib/dom.js";
import { putFigure } from "../../lib/frame.js";
import { createStore } from "../../lib/store.js";
import { row } from "../../lib/tensor.js";
import { connect, readTraits } from "../../lib/traits.js";
import { createActions } from "./actions.js";
import { createArcs } from "./arcs.js";
import { createControls } from "./controls.js";
import { roomFor } from "./label.js";
import { NOTHING, createMarking } from "./marking.js";
import layouts from "./layouts.css";
import { createMatrix } from "./matrix.js";
import { pairOf, takesOf } from "./sentences.js";
import { TRAITS, readGiven, weightsOf } from "./state.js";
import style from "./style.css";
import { createKeys, createQueries } from "./tokens.js";
import { routeFrom, startTour } from "./tour.js";
import { words as wordsOfPage } from "./words.js";

/** @typedef {import("./state.js").State} State */

/**
 * What every part of the figure is given.
 * @typedef {object} Context
 * @property {import("./state.js").Given} given
 * @property {import("./words.js").Words} words
 * @property {import("./actions.js").Actions} actions
 * @property {AbortSignal} signal ends all listeners
 */

/**
 * What every part draws.
 * @typedef {object} Picture
 * @property {State} state
 * @property {import("./state.js").Matrix} weights
 * @property {import("./marking.js").Marked} marked
 * @property {import("./arcs.js").Layout} layout
 */

/** Pixels that the heads of the matrix's rows take at least. */
const HEAD_WIDTH = 52;
/** Milliseconds of rest before a screen reader hears the figure. */
const REST = 600;

/** @param {{ model: import("../../lib/traits.js").Model, el: HTMLElement }} host */
function render({ model, el }) {
  const words = wordsOfPage();
  const ending = new AbortController();
  const given = readGiven(model);
  const store = createStore(/** @type {State} */ (readTraits(model, TRAITS)));
  const link = connect(model, store, TRAITS, () => true);
  /** @type {import("./arcs.js").Layout} */
  let layout = "list";
  /** The token that a tour shows in place of the chosen one. @type {number | null} */
  let visited = null;
  let marked = NOTHING;
  const marking = createMarking((now) => {
    marked = now;
    update();
  });

  const example = model.get("example");
  const actions = createActions({ commit: link.commit, marking, example });
  const context = { given, words, actions, signal: ending.signal };
  const queries = createQueries(context);
  const arcs = createArcs(context);
  const keys = createKeys(context);
  const table = createMatrix(context);
  const controls = createControls(context);
  const parts = [queries, arcs, keys, table, controls];
  const seen = element("p", { class: "cb-takes", "aria-hidden": "true" });
  const spoken = element("p", { class: "cb-hidden", role: "status", "aria-live": "polite" });

  const stage = element("div", { class: "cb-stage" }, queries.node, arcs.node, keys.node);
  const layoutNode = element(
    "div",
    { class: "cb-attention-view", "data-cross": given.cross },
    element("p", { class: "cb-guide" }, given.cross ? words.guide_cross : words.guide_self),
    stage,
    table.node,
    controls.node,
    seen,
    spoken,
  );
  putFigure(el, words.title, layoutNode);
  marking.listen(layoutNode, ending.signal);
  addStyles(el, "attention-view", style);
  addStyles(el, "attention-view-layouts", layouts);
  const needed = Math.max(...[given.queries, given.keys].map((all) => all.length * roomFor(all)));
  layoutNode.style.setProperty("--queries", String(given.queries.length));
  layoutNode.style.setProperty("--keys", String(given.keys.length));

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let resting;
  let said = "";

  function update() {
    const start = performance.now();
    const state = { ...store.get(), focus: visited ?? store.get().focus };
    /** @type {Picture} */
    const picture = { state, weights: weightsOf(state, given), marked, layout };
    for (const part of parts) part.update(picture);
    const { query, key } = marked;
    const pair = marked.pair && query !== null && key !== null;
    seen.replaceChildren(
      ...(pair ? pairOf(context, picture, query, key) : takesOf(context, picture, state.focus)),
    );
    say(picture);
    el.dataset.updateMs = (performance.now() - start).toFixed(3);
  }

  /** Tell those who do not see the figure, once it has come to rest. @param {Picture} picture */
  function say(picture) {
    if (visited !== null) return; // a tour is for the eyes
    clearTimeout(resting);
    resting = setTimeout(
      () => {
        const sentence = takesOf(context, picture, picture.state.focus);
        const text = sentence.map((node) => (typeof node === "string" ? node : node.textContent)).join("");
        if (text === said) return;
        said = text;
        spoken.replaceChildren(...sentence);
      },
      said ? REST : 0,
    );
  }

  function arrange() {
    const width = layoutNode.clientWidth;
    const fits = width - HEAD_WIDTH >= needed;
    const arranged = fits ? (given.cross ? "rows" : "row") : "list";
    // a browser rounds a table's columns to whole pixels, and the rows above it must agree
    const column = Math.floor((width - HEAD_WIDTH) / given.keys.length);
    layoutNode.style.setProperty("--head", `${width - column * given.keys.length}px`);
    if (layoutNode.dataset.layout === arranged) return;
    layout = arranged;
    layoutNode.dataset.layout = arranged;
    update();
  }

  const resizing = new ResizeObserver(arrange);
  resizing.observe(layoutNode);
  const stopTour = given.tour ? tour() : () => {};

  function tour() {
    return startTour({
      node: stage,
      stops: () => {
        const { focus } = store.get();
        const weights = weightsOf(store.get(), given);
        return routeFrom(focus, given.queries.length, (i) => (given.cross ? null : row(weights, i)));
      },
      visit(index) {
        visited = index;
        update();
      },
      done() {
        if (visited !== null && visited !== store.get().focus) link.commit({ focus: visited });
        visited = null;
      },
    });
  }

  const stops = [store.subscribe(update), link.stop, stopTour];
  arrange();
  return () => {
    ending.abort();
    resizing.disconnect();
    clearTimeout(resting);
    for (const stop of stops) stop();
  };
}

export default { render };
