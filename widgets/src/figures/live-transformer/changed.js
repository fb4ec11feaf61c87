/** What a change of the model did to its translation: the untouched model's beside it. */
import { element, putText } from "../../lib/dom.js";
import { fill } from "../../lib/words.js";
import { wordNode } from "./label.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./picture.js").Picture} Picture */

/** @param {Context} context */
export function createChanged(context) {
  const { words, engine } = context;
  const said = element("p", { class: "cb-verdict" });
  const label = element("span", { class: "cb-note" }, words.untouched);
  const tokens = element("span", { class: "cb-others-words" });
  const node = element("div", { class: "cb-changed" }, said, element("div", { class: "cb-untouched" }, label, tokens));
  let shown = "";

  return {
    node,
    /** @param {Picture} picture */
    update(picture) {
      putText(said, verdict(context, picture));
      const { original, originalKept, untouched } = picture;
      tokens.parentElement?.toggleAttribute("hidden", untouched);
      const key = original.steps.map((step, i) => `${step.token}${originalKept[i]}`).join(" ");
      if (key === shown) return;
      shown = key;
      tokens.replaceChildren(
        ...original.steps.map((step, i) => {
          const word = wordNode(context, engine.textOf(step.token));
          if (!originalKept[i]) word.classList.add("cb-other");
          return word;
        }),
      );
    },
  };
}

/** @param {Context} context @param {Picture} picture */
export function verdict({ words }, { untouched, kept, originalKept, was, translation, view }) {
  if (untouched) return words.nothing_changed;
  if (view.written !== null) return words.still_writing;
  const lost = originalKept.filter((same) => !same).length;
  const added = kept.filter((same) => !same).length;
  if (lost || added) return fill(words.words_changed, { lost, added });
  const fall = Math.max(...was.map((before, i) => (before ?? 0) - translation.steps[i].probability), 0);
  return fill(words.only_chances, { fall: fall.toFixed(2).replace(/^0/, "") });
}
