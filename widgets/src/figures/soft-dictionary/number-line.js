/** The values on a beam, each as heavy as its weight; the mixed value is where the beam balances. */
import { nice, ticks } from "d3-array";
import { put, putText } from "../../lib/dom.js";
import { clamp, short } from "../../lib/numbers.js";
import { linear, shorten, svg, textWidth } from "../../lib/svg.js";
import { amountOf } from "./sentences.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const HEIGHT = 138;
const AXIS = 88;
const MARGIN = 26;
const FONT = 13;
const LINE = 15;

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
    const radii = found.weights.map((weight) => 3.5 + 15 * Math.sqrt(weight));
    const xs = state.values.map(toX);
    // large dots at the back, so that small ones stay in sight; their names are placed first
    const order = parts.map((_, i) => i).sort((i, j) => found.weights[j] - found.weights[i]);
    const taken = order.map((i) => box(xs[i], AXIS - radii[i], radii[i], radii[i]));
    for (const i of order) {
      const { group, dot, name } = parts[i];
      put(dot, "cx", xs[i].toFixed(2));
      put(dot, "cy", (AXIS - radii[i]).toFixed(2));
      put(dot, "r", radii[i].toFixed(2));
      group.classList.toggle("cb-marked", marked === i);
      group.classList.toggle("cb-masked", !state.mask[i]);
      const text = shorten(state.names[i], 10);
      const half = (textWidth(text) * FONT) / 2 + 3;
      const x = clamp(xs[i], half, Math.max(half, width - half));
      const place = freeAbove(taken, x, AXIS - 2 * radii[i], half);
      if (place) taken.push(place);
      putText(name, place || marked === i ? text : "");
      put(name, "x", x.toFixed(1));
      put(name, "y", ((place?.bottom ?? LINE) - 4).toFixed(1));
    }
    const reversed = order.map((i) => parts[i].group);
    if (reversed.some((group, i) => dots.children[i] !== group)) dots.replaceChildren(...reversed);

    const someone = state.mask.some(Boolean);
    pivot.classList.toggle("cb-gone", !someone);
    put(pivot, "transform", `translate(${toX(someone ? found.output : domain[0]).toFixed(2)} ${AXIS})`);
    const text = amountOf(words, labels, found.output);
    putText(answer, text);
    const half = (textWidth(text) * 17) / 2;
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
    const longest = Math.max(...domain.map((x) => textWidth(short(x)))) * FONT;
    const room = clamp(Math.floor(width / (longest + 36)), 2, 8);
    axis.replaceChildren(
      svg("path", { class: "cb-beam-line", d: `M0 ${AXIS}H${width}` }),
      ...ticks(...domain, room).flatMap((tick) => [
        svg("path", { class: "cb-axes", d: `M${toX(tick)} ${AXIS}v5` }),
        svg(
          "text",
          { x: toX(tick), y: AXIS + 18, "text-anchor": "middle" },
          short(tick),
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

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */

/** @param {number} x @param {number} y middle @param {number} w @param {number} h half sizes @returns {Box} */
function box(x, y, w, h) {
  return { left: x - w, right: x + w, top: y - h, bottom: y + h };
}

/**
 * The lowest place for a line of text above `y` that covers nothing, or none.
 * @param {Box[]} taken
 * @param {number} x
 * @param {number} y
 * @param {number} half width
 */
function freeAbove(taken, x, y, half) {
  for (let bottom = y; bottom >= LINE; bottom -= 3) {
    const place = box(x, bottom - LINE / 2, half, LINE / 2);
    const free = taken.every(
      (other) =>
        other.left >= place.right ||
        other.right <= place.left ||
        other.top >= place.bottom ||
        other.bottom <= place.top,
    );
    if (free) return place;
  }
  return null;
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
