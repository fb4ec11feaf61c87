/** An RNN reads a sentence: the state after each token, what it expects, what an edit changes. */
import { announcer } from "../../lib/announce.js";
import { addStyles, element, putText } from "../../lib/dom.js";
import { putFigure } from "../../lib/frame.js";
import { createStore } from "../../lib/store.js";
import { connect, readTraits } from "../../lib/traits.js";
import { createActions } from "./actions.js";
import { createEditor } from "./editor.js";
import { createExpected } from "./expected.js";
import { spokenOf } from "./sentences.js";
import { TRAITS, consistentWith, createNetwork, distances, replaced } from "./state.js";
import { createStrip } from "./strip.js";
import style from "./style.css";
import { words as wordsOfPage } from "./words.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Reading} Reading */

/**
 * What every part of the figure is given.
 * @typedef {object} Context
 * @property {import("./words.js").Words} words
 * @property {import("./state.js").Data} data
 * @property {ReturnType<typeof createNetwork>} network
 * @property {State} example the author's
 * @property {import("./actions.js").Actions} actions
 * @property {AbortSignal} signal ends all listeners
 */

/**
 * What every part draws.
 * @typedef {object} Picture
 * @property {State} state
 * @property {Reading} reading of the tokens as they are
 * @property {Reading} original of the author's sentence
 * @property {number[]} moved how far each state is from that of the author's sentence
 * @property {number} full how far a state has moved whose bar is full
 */

const DATA = [
  ...["vocabulary", "names", "changes", "end", "embedding", "weight_ih", "weight_hh"],
  ...["bias_ih", "bias_hh", "head", "head_bias"],
];

/** @param {{ model: import("../../lib/traits.js").Model, el: HTMLElement }} host */
function render({ model, el }) {
  const words = wordsOfPage();
  const ending = new AbortController();
  const data = /** @type {import("./state.js").Data} */ (
    Object.fromEntries(DATA.map((name) => [name, model.get(name)]))
  );
  const network = createNetwork(data);
  /** @type {State} */
  const example = model.get("example");
  const original = network.read(example.tokens);
  // one scale for all edits, or a small one would look as large as any
  const furthest = data.changes.map(([place, token]) => {
    const edited = network.read(replaced(example, place, token).tokens);
    return Math.max(...distances(edited.states, original.states));
  });
  const store = createStore(/** @type {State} */ (readTraits(model, TRAITS)));
  const link = connect(model, store, TRAITS, consistentWith(data));

  const complaint = element("p", { class: "cb-complaint", role: "status" });
  const actions = createActions({
    get: store.get,
    commit: link.commit,
    complain: (text) => putText(complaint, text),
    example,
    count: data.vocabulary.length,
    words,
  });
  const context = { words, data, network, example, actions, signal: ending.signal };
  const strip = createStrip(context);
  const expected = createExpected(context);
  const editor = createEditor(context);
  const back = button(words.back, () => actions.goTo(store.get().step - 1));
  const next = button(words.next, () => actions.goTo(store.get().step + 1));
  const reset = button(words.reset, actions.reset);
  const spoken = announcer();

  const layout = element(
    "div",
    { class: "cb-recurrent-reader" },
    element("p", { class: "cb-guide" }, words.guide),
    element("div", { class: "cb-buttons" }, back, next, reset),
    strip.node,
    expected.node,
    editor.node,
    complaint,
    spoken.node,
  );
  putFigure(el, words.title, layout);
  addStyles(el, "recurrent-reader", style);

  /** @param {string} label @param {() => void} press */
  function button(label, press) {
    const node = element("button", { type: "button" }, label);
    node.addEventListener("click", press, { signal: ending.signal });
    return node;
  }

  function update() {
    const start = performance.now();
    const state = store.get();
    const reading = network.read(state.tokens);
    const moved = distances(reading.states, original.states);
    const picture = { state, reading, original, moved, full: Math.max(...furthest, ...moved) };
    for (const part of [strip, expected, editor]) part.update(picture);
    // a button that becomes disabled would lose the focus: it stays, and does nothing at the end
    back.setAttribute("aria-disabled", String(state.step === 0));
    next.setAttribute("aria-disabled", String(state.step === state.tokens.length - 1));
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
