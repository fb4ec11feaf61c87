/** Who reaches whom: the influence of every word on the chosen one's feature, network by network. */
import { announcer } from "../../lib/announce.js";
import { addStyles, element } from "../../lib/dom.js";
import { putFigure } from "../../lib/frame.js";
import { createStore } from "../../lib/store.js";
import { connect, readTraits } from "../../lib/traits.js";
import { createAnswers } from "./answers.js";
import { createEditing, createNetworks } from "./controls.js";
import { saidOf } from "./sentences.js";
import { TRAITS, reachOf, readGiven } from "./state.js";
import style from "./style.css";
import { createTokens } from "./tokens.js";
import { words as wordsOfPage } from "./words.js";

/** @typedef {import("./state.js").State} State */

/**
 * What every part of the figure is given.
 * @typedef {object} Context
 * @property {import("./state.js").Given} given
 * @property {import("./words.js").Words} words
 * @property {{ look(focus: number): void, readWith(network: number): void, write(id: number): void, reset(): void }} actions
 * @property {AbortSignal} signal ends all listeners
 */

/** What every part draws. @typedef {{ state: State, reach: import("./state.js").Reach }} Picture */

/** @param {{ model: import("../../lib/traits.js").Model, el: HTMLElement }} host */
function render({ model, el }) {
  const words = wordsOfPage();
  const ending = new AbortController();
  const given = readGiven(model);
  const store = createStore(/** @type {State} */ (readTraits(model, TRAITS)));
  const link = connect(model, store, TRAITS, () => true);
  const example = model.get("example");
  const actions = {
    look: (/** @type {number} */ focus) => link.commit({ focus }),
    readWith: (/** @type {number} */ network) => link.commit({ network }),
    write(/** @type {number} */ id) {
      const { sentence, focus } = store.get();
      link.commit({ sentence: sentence.map((word, s) => (s === focus ? id : word)) });
    },
    reset: () => link.commit({ ...example }),
  };
  const context = { given, words, actions, signal: ending.signal };
  const networks = createNetworks(context);
  const tokens = createTokens(context, store.get().sentence.length);
  const answers = createAnswers(context);
  const editing = createEditing(context);
  const parts = [networks, tokens, answers, editing];
  const seen = element("p", { class: "cb-said", "aria-hidden": "true" });
  const spoken = announcer();

  const layout = element(
    "div",
    { class: "cb-influence-view" },
    element("p", { class: "cb-guide" }, words.guide),
    networks.node,
    tokens.node,
    answers.node,
    editing.node,
    seen,
    spoken.node,
  );
  layout.style.setProperty("--words", String(store.get().sentence.length));
  putFigure(el, words.title, layout);
  addStyles(el, "influence-view", style);

  function update() {
    const start = performance.now();
    const state = store.get();
    /** @type {Picture} */
    const picture = { state, reach: reachOf(state, given) };
    for (const part of parts) part.update(picture);
    seen.replaceChildren(...saidOf(context, picture));
    spoken.say(() => seen.textContent ?? "");
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
