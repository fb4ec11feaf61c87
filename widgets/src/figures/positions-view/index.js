/** Positions as waves: their table, two places in it, and how a shift turns the one into the other. */
import { announcer } from "../../lib/announce.js";
import { addStyles, element, putText } from "../../lib/dom.js";
import { putFigure } from "../../lib/frame.js";
import { createStore } from "../../lib/store.js";
import { connect, readTraits } from "../../lib/traits.js";
import { createControls } from "./controls.js";
import { createCurve } from "./curve.js";
import { createDials } from "./dials.js";
import { sentencesOf, spokenOf } from "./sentences.js";
import { TRAITS, consistent, look } from "./state.js";
import style from "./style.css";
import { createTable } from "./table.js";
import { words as wordsOfPage } from "./words.js";

/** @typedef {import("./state.js").State} State */

/**
 * What every part of the figure is given.
 * @typedef {object} Context
 * @property {import("./words.js").Words} words
 * @property {(patch: Partial<State>) => void} commit
 * @property {AbortSignal} signal ends all listeners
 */

/**
 * What every part draws.
 * @typedef {object} Picture
 * @property {State} state
 * @property {import("./state.js").Found} found
 */

/** @param {{ model: import("../../lib/traits.js").Model, el: HTMLElement }} host */
function render({ model, el }) {
  const words = wordsOfPage();
  const ending = new AbortController();
  const store = createStore(/** @type {State} */ (readTraits(model, TRAITS)));
  const link = connect(model, store, TRAITS, consistent);
  const context = { words, commit: link.commit, signal: ending.signal };
  const table = createTable(context);
  const curve = createCurve(context);
  const dials = createDials(context);
  const controls = createControls(context, model.get("example"));
  const sentences = [element("p"), element("p"), element("p")];
  const spoken = announcer();

  const layout = element(
    "div",
    { class: "cb-positions-view" },
    element("p", { class: "cb-guide" }, words.guide),
    table.node,
    element("div", { class: "cb-side" }, controls.node, curve.node),
    dials.node,
    element("div", { class: "cb-sentences" }, ...sentences),
    spoken.node,
  );
  putFigure(el, words.title, layout);
  addStyles(el, "positions-view", style);

  function update() {
    const start = performance.now();
    const state = store.get();
    const picture = { state, found: look(state) };
    for (const part of [table, curve, dials, controls]) part.update(picture);
    sentencesOf(context, picture).forEach((text, i) => putText(sentences[i], text));
    spoken.say(() => spokenOf(context, picture));
    el.dataset.updateMs = (performance.now() - start).toFixed(3);
  }

  const stops = [store.subscribe(update), link.stop, spoken.stop];
  update();
  return () => {
    ending.abort();
    for (const stop of stops) stop();
  };
}

export default { render };
