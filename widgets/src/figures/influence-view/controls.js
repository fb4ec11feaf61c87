/** Which network reads, which word stands at the chosen place, and the way back. */
import { element, uniqueId } from "../../lib/dom.js";
import { isJapanese } from "../../lib/japanese.js";
import { compose } from "../../lib/phrase.js";
import { fill } from "../../lib/words.js";
import { notesOf, wordOf } from "./label.js";
import { radios } from "./radios.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** @param {Context} context */
export function createNetworks({ given, words, actions, signal }) {
  const group = radios({
    label: words.networks,
    name: "cb-networks",
    contents: given.names.map((name) => [name]),
    choose: actions.readWith,
    signal,
  });
  return {
    node: group.node,
    /** @param {Picture} picture */
    update: ({ state }) => group.update(state.network),
  };
}

/** @param {Context} context */
export function createEditing({ given, words, actions, signal }) {
  const id = uniqueId("word");
  const label = element("label", { for: id });
  const options = given.vocabulary.map((word, i) => {
    const notes = notesOf(word);
    const text = notes ? fill(words.named, { word: word.text, notes }) : word.text;
    return element("option", { value: i, lang: isJapanese(word.text) ? "ja" : undefined }, text);
  });
  const select = element("select", { id }, ...options);
  select.addEventListener("change", () => actions.write(Number(select.value)), { signal });
  // JupyterLab would take arrow keys and letters for its own commands
  select.addEventListener("keydown", (event) => event.stopPropagation(), { signal });
  const reset = element("button", { type: "button" }, words.reset);
  reset.addEventListener("click", actions.reset, { signal });
  let labelled = -1;
  return {
    node: element("div", { class: "cb-editing" }, label, select, reset),
    /** @param {Picture} picture */
    update({ state }) {
      const id = state.sentence[state.focus];
      if (labelled !== id) {
        label.replaceChildren(...compose(words.word_here, { word: wordOf(given.vocabulary[id].text) }));
        labelled = id;
      }
      select.value = String(id);
    },
  };
}
