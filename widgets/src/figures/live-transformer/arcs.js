/** The words that ask and the words that answer in two columns, and a line for each weight. */
import { element, put, putText } from "../../lib/dom.js";
import { svg } from "../../lib/svg.js";
import { share, wordNode } from "./label.js";
import { wordsMarked } from "./marking.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./picture.js").Picture} Picture */

/** Height of a row in pixels, as in the style sheet. */
export const ROW = 22;
/** Lighter lines would only be a veil. */
const LEAST = 0.06;

/** @param {Context} context */
export function createArcs(context) {
  const { words } = context;
  const heads = [element("p", { class: "cb-column-name" }), element("p", { class: "cb-column-name" })];
  const queries = createColumn(context, "query");
  const keys = createColumn(context, "key");
  /** @type {SVGPathElement[]} */
  const paths = [];
  const lines = svg("svg", { class: "cb-arcs", preserveAspectRatio: "none", "aria-hidden": "true" });

  return {
    node: element(
      "div",
      { class: "cb-columns" },
      heads[0],
      heads[1],
      queries.node,
      lines,
      keys.node,
    ),
    /** @param {Picture} picture */
    update(picture) {
      const { map, view, asking, answering, shown } = picture;
      putText(heads[0], words.asks[view.kind]);
      putText(heads[1], words.answers[view.kind]);
      lines.classList.toggle("cb-off", picture.silent !== null);
      queries.update(picture, asking, null);
      keys.update(picture, answering, shown.query === null ? null : map[shown.query]);
      const height = Math.max(asking.length, answering.length) * ROW;
      put(lines, "viewBox", `0 0 100 ${height}`);
      lines.style.height = `${height}px`;
      let used = 0;
      map.forEach((row, i) => {
        for (let j = 0; j < row.length; j++) {
          const strong = shown.query === i || shown.key === j;
          if (row[j] < (strong ? LEAST / 3 : LEAST)) continue;
          const path = paths[used] ?? paths[paths.push(lines.appendChild(svg("path", { class: "cb-arc" }))) - 1];
          used++;
          const [from, to] = [(i + 0.5) * ROW, (j + 0.5) * ROW];
          put(path, "d", `M0 ${from}C50 ${from} 50 ${to} 100 ${to}`);
          put(path, "stroke-width", (0.6 + 5 * row[j]).toFixed(2));
          const pale = shown.query === null && shown.key === null ? 0.5 : 0.16;
          put(path, "opacity", (strong ? 0.35 + 0.65 * row[j] : pale * row[j]).toFixed(3));
          put(path, "visibility", "visible");
          path.classList.toggle("cb-marked", strong);
        }
      });
      for (let i = used; i < paths.length; i++) put(paths[i], "visibility", "hidden");
    },
  };
}

/** @param {Context} context @param {"query" | "key"} role */
function createColumn(context, role) {
  const { actions, signal } = context;
  /** @type {import("./state.js").Kind} */
  let kind = "cross";
  const node = element("ul", { class: `cb-column cb-${role}` });
  let shown = "";
  /** @type {{ item: HTMLElement, weight: HTMLElement }[]} */
  let items = [];

  /** @param {string[]} tokens */
  function rebuild(tokens) {
    items = tokens.map((token, i) => {
      const weight = element("span", { class: "cb-weight" });
      const item = element("li", {}, ...(role === "query" ? [wordNode(context, token)] : [wordNode(context, token), weight]));
      item.addEventListener(
        "pointerenter",
        () => actions.mark(role === "query" ? { query: i, key: null } : { query: null, key: i }),
        { signal },
      );
      item.addEventListener("click", () => choose(i), { signal });
      return { item, weight };
    });
    node.replaceChildren(...items.map(({ item }) => item));
  }
  /** Choose the word there, as in the sentences: by a finger nothing can be pointed at. @param {number} i */
  function choose(i) {
    const { source, target } = wordsMarked(kind, role === "query" ? { query: i, key: null } : { query: null, key: i });
    for (const [side, places] of /** @type {const} */ ([["source", source], ["target", target]])) {
      const place = places.find((one) => one !== null && one >= 0);
      if (place !== undefined && place !== null) actions.choose(side, place);
    }
  }
  node.addEventListener("pointerleave", () => actions.mark(null), { signal });

  return {
    node,
    /** @param {Picture} picture @param {string[]} tokens @param {ArrayLike<number> | null} weights */
    update({ view, shown: { query, key } }, tokens, weights) {
      kind = view.kind;
      const now = tokens.join(" ");
      if (now !== shown) rebuild(tokens);
      shown = now;
      items.forEach(({ item, weight }, i) => {
        item.classList.toggle("cb-marked", (role === "query" ? query : key) === i);
        if (role === "query") return;
        putText(weight, weights && weights[i] >= 0.005 ? share(weights[i]) : "");
      });
    },
  };
}
