/** One unit of an LSTM over a few steps: its gates in the reader's hand, what the cell keeps. */
import { announcer } from "../../lib/announce.js";
import { addStyles, element, putText } from "../../lib/dom.js";
import { putFigure } from "../../lib/frame.js";
import { createStore } from "../../lib/store.js";
import { connect, readTraits } from "../../lib/traits.js";
import { createControls } from "./controls.js";
import { createPicture } from "./picture.js";
import { leftOf, spokenOf, sumsOf } from "./sentences.js";
import { TRAITS, consistent, run } from "./state.js";
import style from "./style.css";
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
 * @property {import("./state.js").Run} run
 */

/** @param {{ model: import("../../lib/traits.js").Model, el: HTMLElement }} host */
function render({ model, el }) {
  const words = wordsOfPage();
  const ending = new AbortController();
  const store = createStore(/** @type {State} */ (readTraits(model, TRAITS)));
  const link = connect(model, store, TRAITS, consistent);
  const context = { words, commit: link.commit, signal: ending.signal };
  const parts = [
    createPicture(context),
    createControls(context, { presets: model.get("presets"), example: model.get("example") }),
  ];
  const sums = [element("p"), element("p")];
  const left = element("p", { class: "cb-left" });
  const spoken = announcer();

  const layout = element(
    "div",
    { class: "cb-gate-bench" },
    element("p", { class: "cb-guide" }, words.guide),
    ...parts.map(({ node }) => node),
    element("div", { class: "cb-sums" }, ...sums, left),
    spoken.node,
  );
  putFigure(el, words.title, layout);
  addStyles(el, "gate-bench", style);

  function update() {
    const start = performance.now();
    const state = store.get();
    const picture = { state, run: run(state) };
    for (const part of parts) part.update(picture);
    sumsOf(context, picture).forEach((text, i) => putText(sums[i], text));
    putText(left, leftOf(context, picture));
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
