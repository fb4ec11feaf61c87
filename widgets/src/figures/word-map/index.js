/** A map of words: choose or drag a query, and see who is nearest by cosine and by dot product. */
import { announcer } from "../../lib/announce.js";
import { addStyles, element, putText } from "../../lib/dom.js";
import { putFigure } from "../../lib/frame.js";
import { createStore } from "../../lib/store.js";
import { connect, readTraits } from "../../lib/traits.js";
import { createActions } from "./actions.js";
import { createAnalogy, createWordField } from "./asking.js";
import { createLegend } from "./legend.js";
import { createMap } from "./map.js";
import { createRankings } from "./rankings.js";
import { askedOf, productOf, spokenOf } from "./sentences.js";
import { TRAITS, consistentWith, createSpace, search } from "./state.js";
import style from "./style.css";
import { words as wordsOfPage } from "./words.js";

/** @typedef {import("./state.js").State} State */

/**
 * What every part of the figure is given.
 * @typedef {object} Context
 * @property {import("./words.js").Words} words what the figure says; the words of the map are in `space`
 * @property {import("./state.js").Space} space
 * @property {import("./actions.js").Actions} actions
 * @property {AbortSignal} signal ends all listeners
 */

/**
 * What every part draws.
 * @typedef {object} Picture
 * @property {State} state
 * @property {import("./state.js").Found} found
 * @property {number | null} marked the word under the pointer or in focus
 * @property {boolean} touched whether the reader has asked anything yet
 */

/** @param {{ model: import("../../lib/traits.js").Model, el: HTMLElement }} host */
function render({ model, el }) {
  const words = wordsOfPage();
  const ending = new AbortController();
  const space = createSpace({
    words: model.get("words"),
    vectors: model.get("vectors"),
    classes: model.get("classes"),
    directions: model.get("directions"),
    analogies: model.get("analogies"),
  });
  /** @type {State} */
  const example = model.get("example");
  const store = createStore(/** @type {State} */ (readTraits(model, TRAITS)));
  const marking = createStore({ marked: /** @type {number | null} */ (null) });
  const link = connect(model, store, TRAITS, consistentWith(space));

  let touched = false;
  const complaints = {
    word: element("p", { class: "cb-complaint", role: "status" }),
    analogy: element("p", { class: "cb-complaint", role: "status" }),
  };
  const actions = createActions({
    get: store.get,
    commit(patch) {
      touched = patch !== example;
      link.commit(patch);
    },
    mark(marked) {
      if (marked !== marking.get().marked) marking.set({ marked });
    },
    complain: (text, where) => putText(complaints[where], text),
    example,
    space,
    words,
  });

  const context = { words, space, actions, signal: ending.signal };
  const map = createMap(context);
  const legend = createLegend(context);
  const field = createWordField(context);
  const rankings = createRankings(context);
  const analogy = createAnalogy(context);
  const asked = element("p", { class: "cb-asked" });
  const product = element("p", { class: "cb-product-of" });
  const reset = element("button", { type: "button" }, words.reset);
  reset.addEventListener("click", actions.reset, { signal: ending.signal });
  const spoken = announcer();

  const layout = element(
    "div",
    { class: "cb-word-map" },
    element("p", { class: "cb-guide" }, words.guide),
    map.node,
    element(
      "div",
      { class: "cb-side" },
      element("div", { class: "cb-top" }, field.node, reset),
      complaints.word,
      asked,
      rankings.node,
      product,
    ),
    legend.node,
    element("div", { class: "cb-below" }, analogy.node, complaints.analogy),
    spoken.node,
  );
  putFigure(el, words.title, layout);
  addStyles(el, "word-map", style);

  function update() {
    const start = performance.now();
    const state = store.get();
    const { marked } = marking.get();
    const picture = { state, found: search(space, state), marked, touched };
    for (const part of [map, legend, field, rankings, analogy]) part.update(picture);
    putText(asked, askedOf(context, picture));
    putText(product, productOf(context, picture));
    spoken.say(() => spokenOf(context, picture));
    el.dataset.updateMs = (performance.now() - start).toFixed(3);
  }

  const stops = [store.subscribe(update), marking.subscribe(update), link.stop, spoken.stop];
  update();
  return () => {
    ending.abort();
    for (const stop of stops) stop();
  };
}

export default { render };
