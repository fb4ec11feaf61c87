/** What the network expects after the chosen step. */
import { element, put, putText } from "../../lib/dom.js";
import { compose } from "../../lib/phrase.js";
import { fill } from "../../lib/words.js";
import { glossed, isEdited, namesOf, percent } from "./sentences.js";
import { likeliest } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const GUESSES = 5;

/** @param {Context} context */
export function createExpected(context) {
  const { words, data, network } = context;
  const heading = element("p", { class: "cb-heading" });
  const mark = element("p", { class: "cb-caption cb-mark" }, words.before_mark);
  const rows = Array.from({ length: GUESSES }, createRow);
  const came = createRow();
  const note = element("p", { class: "cb-note" }, words.nothing_learned);
  const cameBlock = element(
    "div",
    { class: "cb-came" },
    element("p", { class: "cb-caption" }, words.came),
    came.node,
  );

  function createRow() {
    const token = element("span", { class: "cb-guess", lang: "ja" });
    const meaning = element("span", { class: "cb-meaning" });
    const bar = element("span", { class: "cb-share-bar" });
    const number = element("span", { class: "cb-share" });
    const before = element("span", { class: "cb-before" });
    const node = element(
      "div",
      { class: "cb-row" },
      element("span", { class: "cb-word" }, token, meaning),
      element("span", { class: "cb-track", "aria-hidden": "true" }, bar, before),
      number,
    );
    return { node, token, meaning, bar, number, before };
  }

  /**
   * @param {ReturnType<typeof createRow>} row
   * @param {number} word
   * @param {Picture} picture
   */
  function fillRow(row, word, picture) {
    const { reading, original, state } = picture;
    const share = reading.expected[state.step][word];
    const old = original.expected[state.step][word];
    putText(row.token, data.vocabulary[word]);
    putText(row.meaning, namesOf(context, word).join(", "));
    row.bar.style.width = `${(100 * share).toFixed(2)}%`;
    row.before.style.left = `${(100 * old).toFixed(2)}%`;
    row.before.hidden = !isEdited(picture);
    putText(row.number, percent(share));
    put(row.node, "title", isEdited(picture) ? fill(words.before, { value: percent(old) }) : "");
  }

  return {
    node: element(
      "div",
      { class: "cb-expected" },
      heading,
      element("div", { class: "cb-guesses" }, ...rows.map(({ node }) => node)),
      cameBlock,
      mark,
      note,
    ),
    /** @param {Picture} picture */
    update(picture) {
      const { state, reading } = picture;
      const token = state.tokens[state.step];
      const japanese = element("span", { lang: "ja" }, glossed(context, token));
      heading.replaceChildren(...compose(words.expects, { token: japanese }));
      const best = likeliest(reading.expected[state.step], GUESSES);
      rows.forEach((row, i) => {
        row.node.hidden = i >= best.length;
        if (i < best.length) fillRow(row, best[i], picture);
      });
      const next = state.tokens[state.step + 1];
      cameBlock.hidden = next === undefined;
      if (next !== undefined) fillRow(came, network.ids.get(next) ?? 0, picture);
      mark.hidden = !isEdited(picture);
      note.hidden = token !== data.end;
    },
  };
}
