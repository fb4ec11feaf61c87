/** A bench for costs: sizes in the reader's hand, and what four kinds of layers take for them. */
import { announcer } from "../../lib/announce.js";
import { addStyles, element, putText } from "../../lib/dom.js";
import { putFigure } from "../../lib/frame.js";
import { createStore } from "../../lib/store.js";
import { connect, readTraits } from "../../lib/traits.js";
import { createChart } from "./chart.js";
import { createControls, createMeasures } from "./controls.js";
import { countAll, crossingOf, reachOf, readingOf, spokenOf } from "./sentences.js";
import { TRAITS, consistent } from "./state.js";
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
 * @property {ReturnType<typeof countAll>} counts
 */

/** @param {{ model: import("../../lib/traits.js").Model, el: HTMLElement }} host */
function render({ model, el }) {
  const words = wordsOfPage();
  const ending = new AbortController();
  const store = createStore(/** @type {State} */ (readTraits(model, TRAITS)));
  const link = connect(model, store, TRAITS, consistent);
  const context = { words, commit: link.commit, signal: ending.signal };
  const controls = createControls(context, model.get("example"));
  const parts = [createMeasures(context), createChart(context), controls, createTable(context)];
  const sentences = [readingOf, crossingOf, reachOf];
  const lines = sentences.map(() => element("p"));
  const spoken = announcer();

  const layout = element(
    "div",
    { class: "cb-cost-bench" },
    element("p", { class: "cb-guide" }, words.guide),
    controls.buttons,
    ...parts.map(({ node }) => node),
    element("div", { class: "cb-readings" }, ...lines),
    spoken.node,
  );
  putFigure(el, words.title, layout);
  addStyles(el, "cost-bench", style);

  function update() {
    const start = performance.now();
    const state = store.get();
    const picture = { state, counts: countAll(state) };
    for (const part of parts) part.update(picture);
    sentences.forEach((sentence, i) => putText(lines[i], sentence(context, picture)));
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
