/** Translation through one vector: a sentence is read, and written out step by step. */
import { announcer } from "../../lib/announce.js";
import { addStyles, element, put, putText } from "../../lib/dom.js";
import { putFigure } from "../../lib/frame.js";
import { clamp } from "../../lib/numbers.js";
import { textOf } from "../../lib/sentence.js";
import { createSentenceField } from "../../lib/sentence-field.js";
import { createStore } from "../../lib/store.js";
import { connect, readTraits } from "../../lib/traits.js";
import { loadWeights, placeOf, whenNear } from "../../lib/weights.js";
import { fill } from "../../lib/words.js";
import { createControls } from "./controls.js";
import { spokenOf } from "./sentences.js";
import { MOST_READ, TRAITS, createWriter, readGiven, sampleByLength, wordsIn } from "./state.js";
import style from "./style.css";
import { createTree } from "./tree.js";
import { createVector } from "./vector.js";
import { words as wordsOfPage } from "./words.js";
import { createWritten } from "./written.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Translation} Translation */

/**
 * What every part of the figure is given.
 * @typedef {object} Context
 * @property {import("./state.js").Given} given
 * @property {import("./words.js").Words} words
 * @property {ReturnType<typeof createActions>} actions
 * @property {AbortSignal} signal ends all listeners
 */

/**
 * What every part draws.
 * @typedef {object} Picture
 * @property {State} state
 * @property {Translation} translation
 * @property {number} step the chosen one, among those that there are
 * @property {number} read how many tokens have been read in what is shown of the encoder
 */

/**
 * All that a reader can do to the figure.
 * @param {object} parts
 * @param {() => State} parts.get
 * @param {(patch: Partial<State>) => void} parts.commit
 * @param {(read: number) => void} parts.readTo
 * @param {import("./state.js").Given} parts.given
 * @param {() => number} parts.steps how many there are now
 * @param {() => void} parts.restore put the sentence into the field, whatever was typed
 */
function createActions({ get, commit, given, steps, readTo, restore }) {
  return {
    /** @param {string[]} sentence */
    write(sentence) {
      if (textOf(sentence) === textOf(get().sentence)) return; // a field that is left is read again
      commit({ sentence, step: 0 });
    },
    /** @param {number} length */
    takeLength(length) {
      if (length === wordsIn(get().sentence)) return;
      commit({ sentence: sampleByLength(given, length, get().sentence).english, step: 0 });
      restore();
    },
    another() {
      const { sentence } = get();
      const next = sampleByLength(given, wordsIn(sentence), sentence);
      commit({ sentence: next.english, step: 0 });
      restore();
    },
    /** @param {number} width */
    setWidth: (width) => commit({ width }),
    /** @param {number} step */
    goTo: (step) => commit({ step: clamp(step, 0, steps() - 1) }),
    readTo,
    reset() {
      commit(structuredClone(given.example));
      restore();
    },
  };
}

/** @param {{ model: import("../../lib/traits.js").Model, el: HTMLElement }} host */
function render({ model, el }) {
  const words = wordsOfPage();
  const ending = new AbortController();
  const given = readGiven(model);
  const [name] = given.names;
  const store = createStore(/** @type {State} */ (readTraits(model, TRAITS)));
  const link = connect(model, store, TRAITS, () => true);
  /** @type {ReturnType<typeof createWriter> | null} */
  let writer = null;
  let failure = "";
  let shown = { key: "", text: "", translation: /** @type {Translation | null} */ (null) };
  /** Tokens read in what is shown of the encoder: all of them, until a reader goes back. */
  let read = Infinity;

  const actions = createActions({
    get: store.get,
    commit: link.commit,
    given,
    steps: () => shown.translation?.steps.length ?? 1,
    readTo(count) {
      read = count;
      update();
    },
    restore() {
      read = Infinity;
      field.restore();
      update();
    },
  });
  const context = { given, words, actions, signal: ending.signal };
  const field = createSentenceField({
    vocabulary: given.vocabulary,
    most: MOST_READ,
    words,
    write: actions.write,
    signal: ending.signal,
  });
  const controls = createControls(context);
  const vector = createVector(context);
  const written = createWritten(context);
  const tree = createTree(context);
  const waiting = element("p", { role: "status" });
  const again = element("button", { type: "button" }, words.retry);
  again.addEventListener("click", load, { signal: ending.signal });
  const spoken = announcer();

  const layout = element(
    "div",
    { class: "cb-sequence-writer" },
    element("p", { class: "cb-guide" }, words.guide),
    controls.node,
    field.node,
    element("div", { class: "cb-waiting" }, waiting, again),
    vector.node,
    written.node,
    tree.node,
    spoken.node,
  );
  const figure = putFigure(el, words.title, layout);
  field.dress(el);
  addStyles(el, "sequence-writer", style);

  async function load() {
    failure = "";
    update();
    try {
      await whenNear(placeOf(figure), ending.signal);
      writer = createWriter(await loadWeights(model, name), given);
    } catch (error) {
      console.error(error);
      failure = error instanceof Error ? error.message : String(error);
    }
    if (!ending.signal.aborted) update();
  }

  function update() {
    const start = performance.now();
    const state = store.get();
    field.update(state.sentence);
    controls.update(state);
    put(layout, "data-state", writer ? "ready" : failure ? "failed" : "loading");
    putText(waiting, writer ? "" : failure ? fill(words.failed, { message: failure }) : words.loading);
    again.hidden = !failure;
    if (!writer) return;
    const key = JSON.stringify([state.sentence, state.width]);
    const text = textOf(state.sentence);
    if (shown.text !== text) read = Infinity;
    if (shown.key !== key) shown = { key, text, translation: writer(state.sentence, state.width) };
    const translation = /** @type {Translation} */ (shown.translation);
    const step = Math.min(state.step, translation.steps.length - 1);
    const picture = { state, translation, step, read: Math.min(read, translation.reading.length) };
    for (const part of [vector, written, tree]) part.update(picture);
    spoken.say(() => spokenOf(context, picture));
    el.dataset.updateMs = (performance.now() - start).toFixed(3);
  }

  const stops = [store.subscribe(update), link.stop, spoken.stop];
  load();
  return () => {
    ending.abort();
    for (const stop of stops) stop();
  };
}

export default { render };
