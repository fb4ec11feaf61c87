/** All heads of a trained attention over a sentence: change the words, switch heads off. */
import { announcer } from "../../lib/announce.js";
import { addStyles, element } from "../../lib/dom.js";
import { putFigure } from "../../lib/frame.js";
import { createStore } from "../../lib/store.js";
import { connect, readTraits } from "../../lib/traits.js";
import { loadWeights, placeOf, whenNear } from "../../lib/weights.js";
import { fill } from "../../lib/words.js";
import { createWaiting } from "../alignment-explorer/tokens.js";
import { createAnswers } from "./answers.js";
import { createHeads } from "./heads.js";
import { createPhrases, createSentence } from "./sentence.js";
import { spokenOf } from "./sentences.js";
import { TRAITS, consistent, createVerb, readGiven } from "./state.js";
import style from "./style.css";
import { words as wordsOfPage } from "./words.js";

/** @typedef {import("./state.js").State} State */

/**
 * What every part of the figure is given.
 * @typedef {object} Context
 * @property {import("./state.js").Given} given
 * @property {import("./words.js").Words} words
 * @property {(patch: Partial<State>) => void} commit
 * @property {() => State} get
 * @property {AbortSignal} signal ends all listeners
 */
/** What every part draws. @typedef {{ state: State, reply: import("./state.js").Reply }} Picture */

/** @param {{ model: import("../../lib/traits.js").Model, el: HTMLElement }} host */
function render({ model, el }) {
  const words = wordsOfPage();
  const ending = new AbortController();
  const { signal } = ending;
  const given = readGiven(model);
  const store = createStore(/** @type {State} */ (readTraits(model, TRAITS)));
  const link = connect(model, store, TRAITS, consistent);
  /** @type {ReturnType<typeof createVerb> | null} */
  let verb = null;
  let message = "";

  const context = { given, words, commit: link.commit, get: store.get, signal };
  const sentence = createSentence(context);
  const phrases = createPhrases(context);
  const heads = createHeads(context);
  const answers = createAnswers(context);
  const waiting = createWaiting(/** @type {any} */ ({ words, actions: { retry: load }, signal }));
  const reset = element("button", { type: "button", class: "cb-reset" }, words.reset);
  reset.addEventListener("click", () => link.commit({ ...given.example }), { signal });
  const spoken = announcer();

  const [written, reading, gloss] = given.verb;
  const asks = element(
    "div",
    { class: "cb-verb" },
    element("span", { class: "cb-text", lang: "ja" }, written),
    element("span", { class: "cb-gloss" }, `${reading}, ${gloss}`),
  );
  const board = element(
    "div",
    { class: "cb-board", role: "group", "aria-label": words.weights },
    asks,
    ...phrases.nodes,
    ...heads.nodes,
  );
  const layout = element(
    "div",
    { class: "cb-heads-view" },
    element("p", { class: "cb-guide" }, words.guide),
    element("div", { class: "cb-top" }, sentence.node, reset),
    waiting.node,
    board,
    answers.node,
    spoken.node,
  );
  layout.style.setProperty("--phrases", String(phrases.nodes.length));
  const figure = putFigure(el, words.title, layout);
  addStyles(el, "heads-view", style);

  async function load() {
    message = "";
    update();
    try {
      await whenNear(placeOf(figure), signal);
      verb = createVerb(await loadWeights(model, given.name));
    } catch (error) {
      console.error(error);
      message = error instanceof Error ? error.message : String(error);
    }
    if (!signal.aborted) update();
  }

  function update() {
    const start = performance.now();
    const state = store.get();
    sentence.update(state);
    phrases.update(state);
    layout.dataset.state = verb ? "ready" : message ? "failed" : "loading";
    waiting.show(
      verb ? "" : message ? fill(words.failed, { message }) : words.loading,
      message !== "",
    );
    if (!verb) return;
    const picture = { state, reply: verb(state) };
    heads.update(picture);
    answers.update(picture);
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
