/** All weights as a table: a row for each query, a column for each key, the deeper the heavier. */
import { element } from "../../lib/dom.js";
import { row } from "../../lib/tensor.js";
import { createHeat, fineShare } from "./heat.js";
import { wordOf } from "./label.js";
import { NOTHING } from "./marking.js";
import { maskOf } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** @param {Context} context */
export function createMatrix({ given, words, actions, signal }) {
  const heads = given.keys.map((token, j) => {
    const head = element("th", { scope: "col" }, wordOf(token.text));
    actions.marks(head, given.cross ? null : j, j);
    return head;
  });
  const rows = given.queries.map((token, i) => {
    const head = element("th", { scope: "row" }, wordOf(token.text));
    actions.marks(head, i, given.cross ? null : i);
    const cells = given.keys.map((_, j) => {
      const number = element("span");
      const cell = element("td", { class: "cb-heat" }, number);
      actions.marks(cell, i, j, true);
      return { cell, heat: createHeat(cell, number, fineShare) };
    });
    const line = element("tr", {}, head, ...cells.map(({ cell }) => cell));
    // for the pointer alone: the keyboard chooses among the tokens above
    line.addEventListener("click", () => actions.choose(i), { signal });
    return { line, head, cells };
  });
  const node = element(
    "table",
    { class: "cb-matrix" },
    element("caption", { class: "cb-hidden" }, words.matrix),
    element("colgroup", {}, element("col", { class: "cb-head-column" })),
    element("thead", {}, element("tr", {}, element("td"), ...heads)),
    element("tbody", {}, ...rows.map(({ line }) => line)),
  );

  let outlined = NOTHING;

  /** The cells that a mark stands for. @param {import("./marking.js").Marked} marked */
  function cellsOf({ query, key, pair }) {
    const column = key === null ? [] : rows.map(({ cells }) => cells[key]);
    const line = query === null ? [] : rows[query].cells;
    return pair && query !== null ? [column[query]] : [...line, ...column];
  }

  return {
    node,
    /** @param {Picture} picture */
    update({ state, weights, marked }) {
      const mask = maskOf(state, given);
      heads.forEach((head, j) => head.classList.toggle("cb-marked", marked.key === j));
      rows.forEach(({ line, head, cells }, i) => {
        const shares = row(weights, i);
        line.classList.toggle("cb-chosen", i === state.focus);
        head.classList.toggle("cb-marked", marked.query === i);
        cells.forEach(({ heat }, j) => heat(shares[j], mask !== null && !mask[i][j]));
      });
      if (marked === outlined) return;
      for (const { cell } of cellsOf(outlined)) cell.classList.remove("cb-marked");
      for (const { cell } of cellsOf(marked)) cell.classList.add("cb-marked");
      outlined = marked;
    },
  };
}
