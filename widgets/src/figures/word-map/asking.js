/** Asking in words: with one of them, or with an analogy. */
import { combobox } from "../../lib/combobox.js";
import { element, put, putText } from "../../lib/dom.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** @param {Context} context */
export function createWordField({ words, space, actions, signal }) {
  let word = "";
  const field = combobox({
    label: words.ask_word,
    words: space.words,
    get: () => word,
    choose: actions.askWord,
    refuse: actions.refuse("word"),
    signal,
  });
  return {
    node: element("div", { class: "cb-ask" }, element("span", {}, words.ask_word), field.node),
    /** @param {Picture} picture */
    update({ state }) {
      word = state.word;
      field.input.classList.toggle("cb-idle", state.asks !== "word");
      field.update();
    },
  };
}

/** @param {Context} context */
export function createAnalogy({ words, space, actions, signal }) {
  /** @type {[string, string, string]} */
  let analogy = ["", "", ""];
  const names = [words.first, words.second, words.third];
  const fields = names.map((label, place) =>
    combobox({
      label,
      words: space.words,
      get: () => analogy[place],
      choose(word) {
        const [a, b, c] = analogy.map((old, i) => (i === place ? word : old));
        actions.askAnalogy([a, b, c]);
      },
      refuse: actions.refuse("analogy"),
      signal,
    }),
  );
  const answer = element("output", { class: "cb-answer" });
  const buttons = space.analogies.map((one) => {
    const node = element("button", { type: "button" }, one.label);
    node.addEventListener("click", () => actions.askAnalogy(one.words), { signal });
    return { node, asks: one.words.join() };
  });
  const ask = element("button", { type: "button" }, words.ask_analogy);
  ask.addEventListener("click", () => actions.askAnalogy(analogy), { signal });
  const [a, b, c] = fields.map(({ node }) => node);
  const said = (/** @type {string} */ text) => element("span", {}, text);
  return {
    node: element(
      "div",
      { class: "cb-analogy", role: "group", "aria-label": words.analogy },
      element("div", { class: "cb-presets" }, said(words.analogy), ...buttons.map(({ node }) => node)),
      element(
        "div",
        { class: "cb-equation" },
        ...[a, said(words.is_to), b, said(words.as), c, said(words.is_to), answer, ask],
      ),
    ),
    /** @param {Picture} picture */
    update({ state, found }) {
      analogy = state.analogy;
      const asked = state.asks === "analogy";
      for (const field of fields) {
        field.input.classList.toggle("cb-idle", !asked);
        field.update();
      }
      ask.hidden = asked;
      answer.hidden = !asked;
      putText(answer, asked && found.byCosine.length ? space.words[found.byCosine[0]] : "…");
      for (const { node, asks } of buttons) {
        put(node, "aria-pressed", String(asked && asks === state.analogy.join()));
      }
    },
  };
}
