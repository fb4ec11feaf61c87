/** What was read, and the one vector that it becomes. */
import { element, put } from "../../lib/dom.js";
import { svg } from "../../lib/svg.js";
import { fill } from "../../lib/words.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const PER_ROW = 64;

/** @param {Context} context */
export function createVector({ words }) {
  const picture = svg("svg", {
    class: "cb-vector-heat",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  const caption = element("p", { class: "cb-caption" });
  /** @type {Element[]} */
  let cells = [];
  return {
    node: element("div", { class: "cb-vector" }, caption, picture),
    /** @param {Picture} shown */
    update({ state, translation: { vector } }) {
      if (cells.length !== vector.length) {
        cells = Array.from(vector, (_, i) =>
          svg("rect", { x: i % PER_ROW, y: Math.floor(i / PER_ROW), width: 1, height: 1 }),
        );
        put(picture, "viewBox", `0 0 ${PER_ROW} ${Math.ceil(vector.length / PER_ROW)}`);
        picture.replaceChildren(...cells);
      }
      cells.forEach((cell, i) => {
        put(cell, "class", vector[i] < 0 ? "cb-minus" : "cb-plus");
        put(cell, "fill-opacity", Math.min(1, Math.abs(vector[i])).toFixed(3));
      });
      caption.textContent = fill(words.vector, {
        tokens: state.sentence.length + 1,
        numbers: vector.length,
      });
    },
  };
}
