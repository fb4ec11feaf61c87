/** What the network takes the chosen word for: the most likely classes. */
import { element, put, putText } from "../../lib/dom.js";
import { share, wordOf } from "./label.js";
import { compose } from "../../lib/phrase.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const SHOWN = 3;

/** @param {Context} context */
export function createAnswers({ given, words }) {
  const title = element("p", { class: "cb-answers-title" });
  const lines = Array.from({ length: Math.min(SHOWN, given.classes.length) }, () => {
    const name = element("span", { class: "cb-class" });
    const bar = element("span", { class: "cb-bar" });
    const number = element("span", { class: "cb-number" });
    const place = element("span", { class: "cb-place" }, bar);
    return { node: element("li", {}, name, " ", place, number), name, bar, number };
  });
  let titled = -1;
  return {
    node: element(
      "div",
      { class: "cb-answers" },
      title,
      element("ol", {}, ...lines.map(({ node }) => node)),
    ),
    /** @param {Picture} picture */
    update({ state, reach }) {
      const id = state.sentence[state.focus];
      if (titled !== id) {
        title.replaceChildren(...compose(words.answer, { word: wordOf(given.vocabulary[id].text) }));
        titled = id;
      }
      likeliest(reach.shares).forEach((c, i) => {
        if (i >= lines.length) return;
        const { node, name, bar, number } = lines[i];
        putText(name, given.classes[c]);
        putText(number, share(reach.shares[c]));
        bar.style.setProperty("--share", reach.shares[c].toFixed(4));
        put(node, "data-class", c);
      });
    },
  };
}

/** The classes, the likeliest first. @param {number[]} shares */
export function likeliest(shares) {
  return shares.map((_, c) => c).sort((a, b) => shares[b] - shares[a]);
}
