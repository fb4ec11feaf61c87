/** All counts of all kinds at the chosen length; the names explain the curves. */
import { KINDS, MEASURES } from "../../lib/costs.js";
import { element, putText } from "../../lib/dom.js";
import { svg } from "../../lib/svg.js";
import { fill } from "../../lib/words.js";
import { quantity } from "./sentences.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** @param {Context} context */
export function createTable({ words }) {
  const caption = element("caption");
  const heads = MEASURES.map((name) => element("th", { scope: "col" }, words.short[name]));
  const rows = KINDS.map((kind) => {
    const cells = MEASURES.map(() => element("td"));
    const key = svg(
      "svg",
      { class: `cb-key cb-${kind}`, width: 26, height: 10, "aria-hidden": "true" },
      svg("path", { class: "cb-curve", d: "M1 5H25" }),
    );
    const name = element("th", { scope: "row" }, key, words[kind]);
    return { kind, cells, node: element("tr", {}, name, ...cells) };
  });
  const corner = element("td");
  return {
    node: element(
      "table",
      {},
      caption,
      element("thead", {}, element("tr", {}, corner, ...heads)),
      element("tbody", {}, ...rows.map(({ node }) => node)),
    ),
    /** @param {Picture} picture */
    update({ state, counts }) {
      putText(caption, fill(words.table, { length: state.length.toLocaleString("en") }));
      MEASURES.forEach((measure, i) => {
        const chosen = measure === state.measure;
        heads[i].classList.toggle("cb-chosen", chosen);
        for (const { kind, cells } of rows) {
          putText(cells[i], quantity(words, measure, counts[measure][kind]));
          cells[i].classList.toggle("cb-chosen", chosen);
        }
      });
    },
  };
}
