/** The table of positions, a row for each place, with the two chosen places framed. */
import { element, put, putText } from "../../lib/dom.js";
import { clamp } from "../../lib/numbers.js";
import { svg } from "../../lib/svg.js";
import { MOST_PLACE, PLACES } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const ROW = 5;
const TOP = 4;
const LEFT = 30;
const BOTTOM = TOP + PLACES * ROW;
const HEIGHT = BOTTOM + 24;
/** Shades of each sign; what is nearly 0 gets none. */
const SHADES = 5;

/** @param {number} x from -1 to 1 @returns {number} -5 to 5 */
export const shade = (x) => Math.sign(x) * Math.round(Math.abs(x) * SHADES);

/**
 * Every cell of a shade as one path, in cells: neighbours in a column are drawn together.
 * @param {number[][]} rows
 */
export function pathsByShade(rows) {
  /** @type {Map<number, string[]>} */
  const parts = new Map();
  for (let column = 0; column < rows[0].length; column += 1) {
    let from = 0;
    for (let row = 1; row <= rows.length; row += 1) {
      const kind = shade(rows[from][column]);
      if (row < rows.length && shade(rows[row][column]) === kind) continue;
      if (!parts.has(kind)) parts.set(kind, []);
      parts.get(kind)?.push(`M${column} ${from}h1V${row}h-1z`);
      from = row;
    }
  }
  return parts;
}

/** @param {Context} context */
export function createTable({ words, commit, signal }) {
  let width = 360;
  /** @type {Picture | undefined} */
  let now;
  const shades = Array.from({ length: 2 * SHADES + 1 }, (_, i) => i - SHADES)
    .filter((kind) => kind !== 0)
    .map((kind) => ({
      kind,
      path: svg("path", {
        class: kind > 0 ? "cb-above" : "cb-below",
        "fill-opacity": Math.abs(kind) / SHADES,
      }),
    }));
  const cells = svg("g", { class: "cb-cells" }, ...shades.map(({ path }) => path));
  const border = svg("rect", { class: "cb-border", x: LEFT, y: TOP, height: PLACES * ROW });
  const marks = ["first", "second"].map((name) => ({
    frame: svg("rect", { class: `cb-place cb-${name}`, x: LEFT - 2, height: ROW + 3, rx: 2 }),
    text: svg("text", { class: `cb-number cb-${name}`, x: LEFT - 6, "text-anchor": "end" }),
  }));
  const axis = svg("text", { class: "cb-axis", y: HEIGHT - 6, "text-anchor": "middle" });
  const node = svg(
    "svg",
    { class: "cb-table", height: HEIGHT, role: "img", "aria-label": words.table },
    cells,
    border,
    ...marks.flatMap(({ frame, text }) => [frame, text]),
    axis,
  );
  const legend = element(
    "p",
    { class: "cb-legend", "aria-hidden": "true" },
    element("span", { class: "cb-key-below" }, words.below),
    element("span", { class: "cb-key-above" }, words.above),
  );

  const observer = new ResizeObserver(([entry]) => {
    width = Math.max(200, entry.contentRect.width);
    if (now) draw(now);
  });
  observer.observe(node);
  signal.addEventListener("abort", () => observer.disconnect());

  let held = false;
  /** @param {PointerEvent} event */
  function choose(event) {
    const row = Math.floor((event.clientY - node.getBoundingClientRect().top - TOP) / ROW);
    const place = clamp(row, 0, MOST_PLACE);
    if (place !== now?.state.place) commit({ place });
  }
  node.addEventListener(
    "pointerdown",
    (event) => {
      if (!event.isPrimary || event.button !== 0) return;
      held = true;
      node.setPointerCapture(event.pointerId);
      choose(event);
    },
    { signal },
  );
  node.addEventListener("pointermove", (event) => held && choose(event), { signal });
  for (const name of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
    node.addEventListener(name, () => (held = false), { signal });
  }

  let drawn = "";
  /** @param {Picture} picture */
  function draw({ state, found }) {
    const right = width - 4;
    const wanted = `${state.width} ${state.base}`;
    if (drawn !== wanted) {
      drawn = wanted;
      const paths = pathsByShade(found.rows);
      for (const { kind, path } of shades) put(path, "d", (paths.get(kind) ?? []).join(""));
    }
    const column = (right - LEFT) / state.width;
    put(node, "viewBox", `0 0 ${width} ${HEIGHT}`);
    put(cells, "transform", `translate(${LEFT} ${TOP}) scale(${column.toFixed(4)} ${ROW})`);
    put(border, "width", right - LEFT);
    put(axis, "x", (LEFT + right) / 2);
    putText(axis, words.feature_axis);
    [state.place, state.place + state.shift].forEach((place, i) => {
      const { frame, text } = marks[i];
      put(frame, "y", TOP + place * ROW - 1.5);
      put(frame, "width", right - LEFT + 4);
      // numbers that would lie on each other stand above and below
      const apart = state.shift < 3 ? (i ? 6 : -4) : 0;
      put(text, "y", TOP + (place + 0.5) * ROW + 4 + (state.shift ? apart : 0));
      putText(text, i && !state.shift ? "" : String(place));
    });
  }

  return {
    node: element("div", { class: "cb-table-box" }, node, legend),
    /** @param {Picture} picture */
    update(picture) {
      now = picture;
      draw(picture);
    },
  };
}
