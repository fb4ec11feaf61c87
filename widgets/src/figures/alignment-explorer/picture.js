/** The weights: curves from the written word to all that were read, and the whole matrix. */
import { element, put } from "../../lib/dom.js";
import { svg } from "../../lib/svg.js";
import { curve } from "../attention-view/arcs.js";
import { createHeat } from "../attention-view/heat.js";
import { NOTHING } from "../attention-view/marking.js";
import { wordOf } from "./tokens.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const THICKEST = 9;

/** @param {Context} context */
export function createCurves({ actions }) {
  // the picture stretches to the words' place, and the thickness stays in pixels
  const node = svg("svg", { class: "cb-arcs", preserveAspectRatio: "none", "aria-hidden": "true" });
  /** @type {SVGPathElement[]} */
  let paths = [];
  return {
    node,
    /** @param {Picture} picture */
    rebuild({ translation: { source, target } }) {
      paths = source.map((_, j) => {
        const path = svg("path", { class: "cb-arc" });
        actions.marks(path, null, j);
        return path;
      });
      node.replaceChildren(...paths);
      put(node, "viewBox", `0 0 1 ${Math.max(source.length, target.length)}`);
    },
    /** @param {Picture} picture */
    update({ looked, marked, translation: { source, target, weights } }) {
      const counts = { queries: target.length, keys: source.length };
      paths.forEach((path, j) => {
        const weight = weights[looked][j];
        put(path, "d", curve("list", looked, j, counts));
        put(path, "stroke-width", (0.8 + THICKEST * weight).toFixed(2));
        put(path, "opacity", (0.16 + 0.74 * weight ** 0.5).toFixed(3));
        path.classList.toggle("cb-marked", marked.key === j);
      });
    },
  };
}

/** @param {Context} context */
export function createMatrix({ words, actions }) {
  const head = element("tr");
  const body = element("tbody");
  const node = element(
    "table",
    { class: "cb-matrix" },
    element("caption", { class: "cb-hidden" }, words.matrix),
    element("thead", {}, head),
    body,
  );
  /** @typedef {{ line: Element, head: Element, cells: { cell: HTMLElement, heat: ReturnType<typeof createHeat> }[] }} Row */
  /** @type {Row[]} */
  let rows = [];
  /** @type {Element[]} */
  let heads = [];
  let outlined = NOTHING;
  let listening = new AbortController();

  /** The cells that a mark stands for. @param {import("../attention-view/marking.js").Marked} marked */
  function cellsOf({ query, key, pair }) {
    const column = key === null ? [] : rows.flatMap(({ cells }) => cells[key] ?? []);
    const line = query === null ? [] : (rows[query]?.cells ?? []);
    return pair ? line.filter((_, j) => j === key) : [...line, ...column];
  }

  return {
    node,
    /** @param {Picture} picture */
    rebuild({ translation: { source, target } }) {
      listening.abort();
      listening = new AbortController();
      heads = source.map((token, j) => {
        const node = element("th", { scope: "col" }, wordOf(token, words));
        actions.marks(node, null, j);
        return node;
      });
      rows = target.map((token, i) => {
        const head = element("th", { scope: "row" }, wordOf(token, words));
        actions.marks(head, i, null);
        const cells = source.map((_, j) => {
          const number = element("span", { class: "cb-hidden" });
          const cell = element("td", { class: "cb-heat" }, number);
          actions.marks(cell, i, j, true);
          return { cell, heat: createHeat(cell, number) };
        });
        const line = element("tr", {}, head, ...cells.map(({ cell }) => cell));
        // for the pointer alone: the keyboard chooses in the list of written words
        line.addEventListener("click", () => actions.choose(i), { signal: listening.signal });
        return { line, head, cells };
      });
      head.replaceChildren(element("td"), ...heads);
      body.replaceChildren(...rows.map(({ line }) => line));
      outlined = NOTHING;
    },
    /** @param {Picture} picture */
    update({ focus, marked, translation: { weights } }) {
      heads.forEach((head, j) => head.classList.toggle("cb-marked", marked.key === j));
      rows.forEach(({ line, head, cells }, i) => {
        line.classList.toggle("cb-chosen", i === focus);
        head.classList.toggle("cb-marked", marked.query === i);
        cells.forEach(({ heat }, j) => heat(weights[i][j], false));
      });
      if (marked === outlined) return;
      for (const { cell } of cellsOf(outlined)) cell.classList.remove("cb-marked");
      for (const { cell } of cellsOf(marked)) cell.classList.add("cb-marked");
      outlined = marked;
    },
    stop: () => listening.abort(),
  };
}
