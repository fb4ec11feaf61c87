/** A bench for gradients: radius, loudness and length, and how much comes back at each distance. */
import { announcer } from "../../lib/announce.js";
import { addStyles, element, putText } from "../../lib/dom.js";
import { putFigure } from "../../lib/frame.js";
import { clamp } from "../../lib/numbers.js";
import { createStore } from "../../lib/store.js";
import { connect, readTraits } from "../../lib/traits.js";
import { createChart } from "./chart.js";
import { createControls, createDistance, createPresets } from "./controls.js";
import { clippingOf, halfOf, readingOf, slopeOf, spokenOf } from "./sentences.js";
import { TRAITS, createNet, measure } from "./state.js";
import style from "./style.css";
import { words as wordsOfPage } from "./words.js";

/** @typedef {import("./state.js").State} State */

/**
 * What every part of the figure is given.
 * @typedef {object} Context
 * @property {import("./words.js").Words} words
 * @property {Actions} actions
 * @property {AbortSignal} signal ends all listeners
 */

/**
 * All that a reader can do.
 * @typedef {object} Actions
 * @property {(patch: Partial<State>) => void} change
 * @property {(distance: number) => void} read read the curve off there
 * @property {() => void} reset
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
  const net = createNet({
    random: model.get("random"),
    turn: model.get("turn"),
    weight_ih: model.get("weight_ih"),
    signs: model.get("signs"),
    direction: model.get("direction"),
  });
  /** @type {State} */
  const example = model.get("example");
  const store = createStore(/** @type {State} */ (readTraits(model, TRAITS)));
  const link = connect(model, store, TRAITS, () => true);

  /** @type {Actions} */
  const actions = {
    change: link.commit,
    read: (distance) =>
      link.commit({ distance: clamp(distance, 0, store.get().length - 1) }),
    reset: () => link.commit(structuredClone(example)),
  };
  const context = { words, actions, signal: ending.signal };
  const presets = createPresets(context);
  const chart = createChart(context);
  const distance = createDistance(context);
  const controls = createControls(context);
  const sentences = [readingOf, halfOf, slopeOf, clippingOf];
  const lines = sentences.map(() => element("p"));
  const spoken = announcer();

  const layout = element(
    "div",
    { class: "cb-gradient-bench" },
    element("p", { class: "cb-guide" }, words.guide),
    presets.node,
    chart.node,
    distance.node,
    element("div", { class: "cb-readings" }, ...lines),
    controls.node,
    spoken.node,
  );
  putFigure(el, words.title, layout);
  addStyles(el, "gradient-bench", style);

  /** What was measured last: reading off needs no new measurement. */
  let measured = "";
  /** @type {import("./state.js").Found} */
  let found;

  function update() {
    const start = performance.now();
    const state = store.get();
    const key = [state.radius, state.input_size, state.length, state.weights].join();
    if (key !== measured) [measured, found] = [key, measure(net, state)];
    const picture = { state, found };
    chart.update(picture, spokenOf(context, picture));
    for (const part of [presets, distance, controls]) part.update(picture);
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
