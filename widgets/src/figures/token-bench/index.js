/** A bench for cutting text: type, slide the number of merges, and see bytes, tokens and ids. */
import { announcer } from "../../lib/announce.js";
import { createTokenizer, readMerges } from "../../lib/bpe.js";
import { addStyles, element, put, putText } from "../../lib/dom.js";
import { putFigure } from "../../lib/frame.js";
import { createStore } from "../../lib/store.js";
import { connect, readTraits } from "../../lib/traits.js";
import { createControls } from "./controls.js";
import { createField } from "./field.js";
import { countsOf, detailsOf, spokenOf } from "./sentences.js";
import { TRAITS, cut } from "./state.js";
import { createStrips } from "./strips.js";
import style from "./style.css";
import { words as wordsOfPage } from "./words.js";

/** @typedef {import("./state.js").State} State */

/**
 * What every part of the figure is given.
 * @typedef {object} Context
 * @property {import("./words.js").Words} words
 * @property {ReturnType<typeof createTokenizer>} tokenizer
 * @property {(patch: Partial<State>) => void} commit
 * @property {(token: number | null) => void} mark
 * @property {AbortSignal} signal ends all listeners
 */

/**
 * What every part draws.
 * @typedef {object} Picture
 * @property {State} state
 * @property {import("./state.js").Cuts} cuts
 */

/** @param {{ model: import("../../lib/traits.js").Model, el: HTMLElement }} host */
function render({ model, el }) {
  const words = wordsOfPage();
  const ending = new AbortController();
  const tokenizer = createTokenizer(readMerges(model.get("merges")));
  /** @type {State} */
  const example = model.get("example");
  const store = createStore(/** @type {State} */ (readTraits(model, TRAITS)));
  const marking = createStore({ marked: /** @type {number | null} */ (null) });
  const link = connect(model, store, TRAITS, () => true);

  const context = {
    words,
    tokenizer,
    commit: link.commit,
    /** @param {number | null} marked */
    mark(marked) {
      if (marked !== marking.get().marked) marking.set({ marked });
    },
    signal: ending.signal,
  };
  const field = createField(context);
  const controls = createControls(context, {
    presets: model.get("presets"),
    choose: field.replace,
    reset() {
      field.replace(example.text);
      link.commit({ used: example.used });
    },
  });
  const strips = createStrips(context);
  const counts = element("p", { class: "cb-counts" });
  const details = element("p", { class: "cb-details" });
  const spoken = announcer();

  const layout = element(
    "div",
    { class: "cb-token-bench" },
    element("p", { class: "cb-guide" }, words.guide),
    field.node,
    controls.node,
    counts,
    details,
    strips.node,
    spoken.node,
  );
  putFigure(el, words.title, layout);
  addStyles(el, "token-bench", style);

  /** @type {Picture} */
  let picture;

  function update() {
    const start = performance.now();
    const state = store.get();
    picture = { state, cuts: cut(tokenizer, state) };
    marking.set({ marked: null });
    field.update(picture);
    controls.update(picture);
    strips.update(picture);
    counts.replaceChildren(...countsOf(context, picture));
    spoken.say(() => spokenOf(context, picture));
    el.dataset.updateMs = (performance.now() - start).toFixed(3);
  }

  function markEverywhere() {
    const { marked } = marking.get();
    strips.mark(marked);
    details.replaceChildren(...detailsOf(context, picture, marked));
    put(details, "data-marked", marked === null ? "none" : marked);
  }

  putText(details, "");
  const stops = [store.subscribe(update), link.stop, spoken.stop];
  stops.push(marking.subscribe(() => picture && markEverywhere()));
  update();
  return () => {
    ending.abort();
    for (const stop of stops) stop();
  };
}

export default { render };
