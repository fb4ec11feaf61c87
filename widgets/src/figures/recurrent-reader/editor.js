/** Putting another token in the chosen place: from the list, by typing, or by a ready-made edit. */
import { combobox } from "../../lib/combobox.js";
import { element, put, putText } from "../../lib/dom.js";
import { plainly } from "../../lib/spelling.js";
import { fill } from "../../lib/words.js";
import { namesOf } from "./sentences.js";
import { typedNames } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** @param {Context} context */
export function createEditor(context) {
  const { words, data, actions, example, signal } = context;
  const known = typedNames(data);
  let place = 0;
  let token = "";

  const options = data.vocabulary
    .map((word, id) => ({ word, names: namesOf(context, id) }))
    // special tokens have no names and are no words to choose
    .filter(({ word, names }) => names.length > 0 || !/^<.*>$/.test(word))
    .map(({ word, names }) => {
      const said = names.join(", ");
      const text = said ? fill(words.option, { token: word, names: said }) : word;
      return element("option", { value: word, lang: "ja" }, text);
    });
  const label = element("span", {});
  const select = element("select", {}, ...options);
  select.addEventListener("change", () => actions.put(place, select.value), { signal });

  const field = combobox({
    label: words.type,
    words: [...known.keys()].filter((name) => !/^<.*>$/.test(name)),
    get: () => "",
    choose(name) {
      actions.put(place, known.get(plainly(name)) ?? known.get(name) ?? token);
    },
    refuse: actions.refuse,
    signal,
  });
  put(field.input, "placeholder", words.type_hint);

  const edits = data.changes.map(([at, word]) => {
    const said = { old: example.tokens[at], new: word, step: at + 1 };
    const node = element(
      "button",
      { type: "button", lang: "ja", "aria-label": fill(words.edit_label, said) },
      fill(words.edit, said),
    );
    node.addEventListener("click", () => actions.tryEdit(at, word), { signal });
    return { node, at, word };
  });

  return {
    node: element(
      "div",
      { class: "cb-editor" },
      element("label", { class: "cb-choose" }, label, select),
      element("div", { class: "cb-type" }, element("span", {}, words.type), field.node),
      element(
        "div",
        { class: "cb-edits", role: "group", "aria-label": words.edits },
        element("span", {}, words.edits),
        ...edits.map(({ node }) => node),
      ),
    ),
    /** @param {Picture} picture */
    update({ state }) {
      place = state.step;
      token = state.tokens[place];
      putText(label, fill(words.choose, { step: place + 1 }));
      select.value = token;
      field.update();
      for (const { node, at, word } of edits) {
        const others = state.tokens.every((one, t) => t === at || one === example.tokens[t]);
        put(node, "aria-pressed", String(others && state.tokens[at] === word));
      }
    },
  };
}
