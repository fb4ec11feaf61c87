/** What was read, token by token, and the one vector that it becomes. */
import { element, put, putText } from "../../lib/dom.js";
import { svg } from "../../lib/svg.js";
import { createChoices } from "./choices.js";
import { readingOf } from "./sentences.js";
import { END } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** @param {Context} context */
export function createVector(context) {
  const { words, actions, signal } = context;
  const row = createChoices({
    label: words.read,
    class: "cb-read",
    onChoose: (index) => actions.readTo(index + 1),
    signal,
  });
  const picture = svg("svg", {
    class: "cb-vector-heat",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  const caption = element("p", { class: "cb-caption" });
  /** @type {Element[]} */
  let cells = [];
  return {
    node: element("div", { class: "cb-vector" }, row.node, caption, picture),
    /** @param {Picture} shown */
    update(shown) {
      const { state, translation, read } = shown;
      const vector = translation.reading[read - 1];
      const columns = translation.columns;
      if (cells.length !== vector.length) {
        cells = Array.from(vector, (_, i) =>
          svg("rect", { x: i % columns, y: Math.floor(i / columns), width: 1, height: 1 }),
        );
        put(picture, "viewBox", `0 0 ${columns} ${Math.ceil(vector.length / columns)}`);
        picture.replaceChildren(...cells);
      }
      cells.forEach((cell, i) => {
        put(cell, "class", vector[i] < 0 ? "cb-minus" : "cb-plus");
        put(cell, "fill-opacity", Math.min(1, Math.abs(vector[i])).toFixed(3));
      });
      const choices = [...state.sentence, END].map((token, i) => ({
        text: token,
        name: token === END ? words.end : token,
        lang: "en",
        class: i < read ? "" : "cb-unread",
      }));
      row.update(choices, read - 1);
      putText(caption, readingOf(context, shown));
    },
  };
}
