/** The values on a beam, each as heavy as its weight; the mixed value is where the beam balances. */
import { nice, ticks } from "d3-array";
import { put, putText } from "../../lib/dom.js";
import { clamp } from "../../lib/numbers.js";
import { linear, shorten, svg, textWidth } from "../../lib/svg.js";
import { amountOf } from "./sentences.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const HEIGHT = 132;
const AXIS = 78;
const MARGIN = 26;
const FONT = 13;
const LABEL_ROWS = 3;

/** @param {Context} context */
export function createNumberLine({ words, labels, actions, signal }) {
  let width = 640;
  /** @type {Picture | undefined} */
  let now;
  const axis = svg("g", { class: "cb-frame" });
  const dots = svg("g");
  const pivot = svg(
    "g",
    { class: "cb-pivot" },
    svg("path", { d: "M0 2L9 18H-9Z" }),
    svg("text", { "text-anchor": "middle", y: 38 }),
  );
  const answer = /** @type {SVGTextElement} */ (pivot.lastChild);
  const node = svg(
    "svg",
    { class: "cb-line", height: HEIGHT, role: "img", "aria-label": words.number_line },
    axis,
    pivot,
    dots,
  );

  const observer = new ResizeObserver(([entry]) => {
    width = Math.max(240, entry.contentRect.width);
    if (now) draw(now);
  });
  observer.observe(node);
  signal.addEventListener("abort", () => observer.disconnect());

  /** @param {number} index */
  function createDot(index) {
    const dot = svg("circle", { class: "cb-weighted" });
    const name = svg("text", { class: "cb-name", "text-anchor": "middle" });
    const group = svg("g", {}, dot, name);
    actions.marks(group, index);
    return { group, dot, name };
  }

  /** @type {ReturnType<typeof createDot>[]} */
  let parts = [];

  /** @param {Picture} picture */
  function draw({ state, found, marked }) {
    const domain = extent(state.values);
    const toX = linear(domain, [MARGIN, width - MARGIN]);
    drawAxis(domain, toX);
    // large dots at the back, so that small ones stay in sight
    const order = parts.map((_, i) => i).sort((i, j) => found.weights[j] - found.weights[i]);
    /** @type {[number, number][][]} */
    const taken = Array.from({ length: LABEL_ROWS }, () => []);
    for (const i of order) {
      const { group, dot, name } = parts[i];
      const x = toX(state.values[i]);
      const radius = 3.5 + 15 * Math.sqrt(found.weights[i]);
      put(dot, "cx", x.toFixed(2));
      put(dot, "cy", AXIS);
      put(dot, "r", radius.toFixed(2));
      group.classList.toggle("cb-marked", marked === i);
      group.classList.toggle("cb-masked", !state.mask[i]);
      const text = shorten(state.names[i], 10);
      const half = (textWidth(text) * FONT) / 2 + 3;
      const middle = clamp(x, half, width - half);
      const level = taken.findIndex((row) => row.every(([a, b]) => b < middle - half || a > middle + half));
      if (level >= 0) taken[level].push([middle - half, middle + half]);
      putText(name, level >= 0 || marked === i ? text : "");
      put(name, "x", middle.toFixed(1));
      put(name, "y", AXIS - 26 - FONT * 1.2 * Math.max(level, 0));
    }
    const reversed = order.map((i) => parts[i].group);
    if (reversed.some((group, i) => dots.children[i] !== group)) dots.replaceChildren(...reversed);

    const someone = state.mask.some(Boolean);
    pivot.classList.toggle("cb-gone", !someone);
    put(pivot, "transform", `translate(${toX(someone ? found.output : domain[0]).toFixed(2)} ${AXIS})`);
    const text = amountOf(words, labels, found.output);
    putText(answer, text);
    const half = (textWidth(text) * 15) / 2;
    const x = toX(found.output);
    put(answer, "x", (clamp(x, half, Math.max(half, width - half)) - x).toFixed(1));
  }

  let drawn = "";
  /** @param {[number, number]} domain @param {(x: number) => number} toX */
  function drawAxis(domain, toX) {
    const wanted = `${domain} ${width}`;
    if (drawn === wanted) return;
    drawn = wanted;
    put(node, "viewBox", `0 0 ${width} ${HEIGHT}`);
    axis.replaceChildren(
      svg("path", { class: "cb-axes", d: `M0 ${AXIS}H${width}` }),
      ...ticks(...domain, width < 420 ? 4 : 7).flatMap((tick) => [
        svg("path", { class: "cb-axes", d: `M${toX(tick)} ${AXIS}v5` }),
        svg(
          "text",
          { x: toX(tick), y: AXIS + 17, "text-anchor": "middle" },
          String(tick).replace("-", "−"),
        ),
      ]),
    );
  }

  return {
    node,
    /** @param {string[]} colours one for each key */
    rebuild(colours) {
      parts = colours.map((_, index) => createDot(index));
      parts.forEach(({ group }, index) => group.style.setProperty("--colour", colours[index]));
      dots.replaceChildren();
    },
    /** @param {Picture} picture */
    update(picture) {
      now = picture;
      draw(picture);
    },
  };
}

/**
 * A rounded interval that holds all values.
 * @param {number[]} values
 * @returns {[number, number]}
 */
function extent(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (low === high) return [low - 1, high + 1];
  const [a, b] = nice(low, high, 7);
  return [a, b];
}
