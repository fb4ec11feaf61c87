/** Translating with attention, in the page: a sentence that is edited, and where the network looks. */
import { announcer } from "../../lib/announce.js";
import { addStyles, element } from "../../lib/dom.js";
import { putFigure } from "../../lib/frame.js";
import { createSentenceField } from "../../lib/sentence-field.js";
import { createStore } from "../../lib/store.js";
import { connect, readTraits } from "../../lib/traits.js";
import { loadWeights, placeOf, whenNear } from "../../lib/weights.js";
import { fill } from "../../lib/words.js";
import { NOTHING, createMarking } from "../attention-view/marking.js";
import { createControls } from "./controls.js";
import { createCurves, createMatrix } from "./picture.js";
import { looksOf, spokenOf } from "./sentences.js";
import { MOST_READ, TRAITS, createReader, readGiven } from "./state.js";
import style from "./style.css";
import { createRead, createSentence, createWaiting, createWritten } from "./tokens.js";
import { words as wordsOfPage } from "./words.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Translation} Translation */

/**
 * What every part of the figure is given.
 * @typedef {object} Context
 * @property {import("./state.js").Given} given
 * @property {import("./words.js").Words} words
 * @property {Actions} actions
 * @property {AbortSignal} signal ends all listeners
 */

/**
 * All that a reader can do to the figure.
 * @typedef {object} Actions
 * @property {(sentence: string[]) => void} write
 * @property {(name: string) => void} translateBy
 * @property {(temperature: number) => void} setTemperature
 * @property {(focus: number) => void} choose a written word
 * @property {(index: number) => void} edit a word that was read
 * @property {(index: number) => void} markSource
 * @property {() => void} reset
 * @property {() => void} retry
 * @property {import("../attention-view/marking.js").Marking["marks"]} marks
 */

/**
 * What every part draws.
 * @typedef {object} Picture
 * @property {State} state
 * @property {Translation} translation
 * @property {number} focus the chosen word, among those that were written
 * @property {number} looked the word whose weights are shown: that under the pointer, or the chosen
 * @property {import("../attention-view/marking.js").Marked} marked
 */

/** @param {{ model: import("../../lib/traits.js").Model, el: HTMLElement }} host */
function render({ model, el }) {
  const words = wordsOfPage();
  const ending = new AbortController();
  const given = readGiven(model);
  const store = createStore(/** @type {State} */ (readTraits(model, TRAITS)));
  const link = connect(model, store, TRAITS, () => true);
  /** @type {Map<string, ReturnType<typeof createReader>>} */
  const readers = new Map();
  /** @type {Set<string>} */
  const loading = new Set();
  let failure = "";
  let marked = NOTHING;
  /** The translation that is shown, and what it was made of. */
  let shown = { key: "", tokens: "", translation: /** @type {Translation | null} */ (null) };
  const marking = createMarking((now) => {
    marked = now;
    update();
  });

  /** @type {Actions} */
  const actions = {
    write: (sentence) => link.commit({ sentence }),
    translateBy(chosen) {
      failure = "";
      link.commit({ chosen });
    },
    setTemperature: (temperature) => link.commit({ temperature }),
    choose: (focus) => link.commit({ focus }),
    edit: (index) => field.select(index),
    markSource(index) {
      const key = index < 0 ? null : index;
      marking.marks(field.input, null, key);
      if (marked.key !== key || marked.query !== null) marking.set({ query: null, key, pair: false });
    },
    reset() {
      failure = "";
      link.commit({ ...given.example });
      field.restore();
    },
    retry() {
      failure = "";
      update();
    },
    marks: marking.marks,
  };
  const context = { given, words, actions, signal: ending.signal };
  const field = createSentenceField({
    vocabulary: given.vocabulary,
    most: MOST_READ - 1,
    words,
    write: actions.write,
    mark: actions.markSource,
    signal: ending.signal,
  });
  const controls = createControls(context);
  const waiting = createWaiting(context);
  const sentence = createSentence(context);
  const written = createWritten(context);
  const curves = createCurves(context);
  const read = createRead(context);
  const matrix = createMatrix(context);
  const parts = [sentence, written, curves, read, matrix];
  const seen = element("p", { class: "cb-looks", "aria-hidden": "true" });
  const spoken = announcer();

  const stage = element("div", { class: "cb-stage" }, written.node, curves.node, read.node);
  const layout = element(
    "div",
    { class: "cb-alignment-explorer" },
    element("p", { class: "cb-guide" }, words.guide),
    field.node,
    controls.node,
    sentence.node,
    seen,
    waiting.node,
    stage,
    matrix.node,
    spoken.node,
  );
  const figure = putFigure(el, words.title, layout);
  marking.listen(layout, ending.signal);
  field.dress(el);
  addStyles(el, "alignment-explorer", style);

  /** @param {string} name */
  async function load(name) {
    loading.add(name);
    try {
      await whenNear(placeOf(figure), ending.signal);
      readers.set(name, createReader(await loadWeights(model, name)));
    } catch (error) {
      console.error(error);
      failure = error instanceof Error ? error.message : String(error);
    }
    loading.delete(name);
    if (!ending.signal.aborted) update();
  }

  /** @param {State} state @returns {Translation | null} `null` while its network is not there */
  function translated({ chosen, sentence, temperature }) {
    const reader = readers.get(chosen);
    if (!reader) {
      if (!loading.has(chosen) && !failure) load(chosen);
      return null;
    }
    const key = JSON.stringify([chosen, sentence, temperature]);
    if (shown.key !== key) shown = { ...shown, key, translation: reader(sentence, temperature) };
    return shown.translation;
  }

  function update() {
    const start = performance.now();
    const state = store.get();
    const translation = translated(state);
    field.update(state.sentence);
    controls.update({ state });
    layout.dataset.state = translation ? "ready" : failure ? "failed" : "loading";
    waiting.show(
      translation ? "" : failure ? fill(words.failed, { message: failure }) : words.loading,
      failure !== "",
    );
    if (!translation) return;
    const last = translation.target.length - 1;
    const focus = Math.min(state.focus, last);
    const looked = Math.min(marked.query ?? focus, last);
    /** @type {Picture} */
    const picture = { state, translation, focus, looked, marked };
    const tokens = JSON.stringify([translation.source, translation.target]);
    if (shown.tokens !== tokens) {
      shown.tokens = tokens;
      layout.style.setProperty("--written", String(translation.target.length));
      layout.style.setProperty("--read", String(translation.source.length));
      for (const part of parts) part.rebuild(picture);
    }
    for (const part of parts) part.update(picture);
    const only = marked.key !== null && marked.key < translation.source.length ? marked.key : undefined;
    seen.replaceChildren(...looksOf(context, picture, marked.pair ? only : undefined));
    spoken.say(() => spokenOf(context, { ...picture, looked: focus }));
    el.dataset.updateMs = (performance.now() - start).toFixed(3);
  }

  const stops = [store.subscribe(update), link.stop, spoken.stop, written.stop, read.stop, matrix.stop];
  update();
  return () => {
    ending.abort();
    for (const stop of stops) stop();
  };
}

export default { render };
