/** The sentence: a bar above each word, as high as its influence on the chosen one. */
import { element, put, putText } from "../../lib/dom.js";
import { radios } from "./radios.js";
import { amount, wordOf } from "./label.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** @param {Context} context @param {number} count of words */
export function createTokens({ given, words, actions, signal }, count) {
  const tokens = Array.from({ length: count }, () => {
    const bar = element("span", { class: "cb-bar" });
    const number = element("span", { class: "cb-number" });
    const word = element("span", { class: "cb-word" });
    const reading = element("span", { class: "cb-reading" });
    const gloss = element("span", { class: "cb-gloss" });
    const place = element("span", { class: "cb-place" }, bar);
    // the spaces part the words for a screen reader
    const label = element("span", { class: "cb-label" }, word, " ", reading, " ", gloss);
    return { parts: [label, " ", number, place], bar, number, word, reading, gloss, shown: -1 };
  });
  const group = radios({
    label: words.sentence,
    name: "cb-tokens",
    contents: tokens.map(({ parts }) => parts),
    choose: actions.look,
    signal,
  });

  return {
    node: group.node,
    /** @param {Picture} picture */
    update({ state, reach }) {
      group.update(state.focus);
      tokens.forEach((token, s) => {
        const id = state.sentence[s];
        if (token.shown !== id) {
          const { text, reading, gloss } = given.vocabulary[id];
          token.word.replaceChildren(wordOf(text));
          putText(token.reading, reading);
          putText(token.gloss, gloss);
          token.shown = id;
        }
        const influence = reach.influence[s];
        const button = group.buttons[s];
        put(button, "data-reach", influence === null ? "none" : s === state.focus ? "own" : s < state.focus ? "before" : "after");
        putText(token.number, influence === null ? words.none : amount(influence));
        const part = influence && reach.strongest ? influence / reach.strongest : 0;
        token.bar.style.setProperty("--share", part.toFixed(4));
      });
    },
  };
}
