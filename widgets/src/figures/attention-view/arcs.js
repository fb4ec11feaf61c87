/** Arcs from the chosen query to every key, as thick as their weights. */
import { put } from "../../lib/dom.js";
import { svg } from "../../lib/svg.js";
import { row } from "../../lib/tensor.js";
import { maskOf } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** How the tokens lie: in one row, in two rows, or in two columns. @typedef {"row" | "rows" | "list"} Layout */

/** Where arcs end: their round ends should not touch the tokens. */
const LAND = 0.94;

/** @param {Context} context */
export function createArcs({ given, actions }) {
  const paths = given.keys.map((_, j) => {
    const path = svg("path", { class: "cb-arc" });
    actions.marks(path, null, j);
    return path;
  });
  // the picture stretches to the tokens' place, and the thickness stays in pixels
  const node = svg(
    "svg",
    { class: "cb-arcs", preserveAspectRatio: "none", "aria-hidden": "true" },
    ...paths,
  );

  return {
    node,
    /** @param {Picture} picture */
    update({ state, weights, marked, layout }) {
      const counts = { queries: given.queries.length, keys: given.keys.length };
      const thickest = layout === "list" ? 9 : 12;
      const mask = maskOf(state, given)?.[state.focus];
      const shares = row(weights, state.focus);
      const height = layout === "list" ? Math.max(counts.queries, counts.keys) : 1;
      put(node, "viewBox", `0 0 1 ${height}`);
      paths.forEach((path, j) => {
        put(path, "d", curve(layout, state.focus, j, counts));
        put(path, "stroke-width", (0.8 + thickest * shares[j]).toFixed(2));
        put(path, "opacity", (0.16 + 0.74 * shares[j] ** 0.5).toFixed(3));
        put(path, "visibility", mask && !mask[j] ? "hidden" : "visible");
        path.classList.toggle("cb-marked", marked.key === j);
      });
    },
  };
}

/**
 * The path from query `i` to key `j`, in a square of 1 by 1; in a list each token is 1 high.
 * @param {Layout} layout
 * @param {number} i
 * @param {number} j
 * @param {{ queries: number, keys: number }} counts
 */
export function curve(layout, i, j, { queries, keys }) {
  if (layout === "list") return cubic([0, i + 0.5], [0.5, i + 0.5], [0.5, j + 0.5], [1, j + 0.5]);
  const from = (i + 0.5) / queries;
  const to = (j + 0.5) / keys;
  if (layout === "rows") return cubic([from, 0.04], [from, 0.55], [to, 0.45], [to, 0.93]);
  if (i === j) {
    // a loop, from one side of the token to the other
    const side = 0.22 / queries;
    return cubic([from - side, LAND], [from - side, 0.7], [from + side, 0.7], [from + side, LAND]);
  }
  // a cubic curve reaches three quarters of the way to its two inner points
  const height = 0.88 * (Math.abs(i - j) / (queries - 1)) ** 0.6;
  const top = LAND - height / 0.75;
  // the arcs spread where they begin, the farther ones nearer to the middle
  const near = 1 - Math.abs(i - j) / queries;
  const start = from + (Math.sign(j - i) * 0.26 * near) / queries;
  return cubic([start, LAND], [start, top], [to, top], [to, LAND]);
}

/** @param {...[number, number]} points */
function cubic(...points) {
  const [first, ...others] = points.map((point) => point.map((x) => x.toFixed(4)).join(" "));
  return `M${first}C${others.join(" ")}`;
}
