/** One measure of all kinds over the length, on two logarithmic axes. */
import { KINDS, count } from "../../lib/costs.js";
import { element, put } from "../../lib/dom.js";
import { clamp } from "../../lib/numbers.js";
import { linear, svg } from "../../lib/svg.js";
import { fill } from "../../lib/words.js";
import { BYTES, quantity } from "./sentences.js";
import { RANGES, crossings, nearest, stopsOf } from "./state.js";

/** @typedef {import("../../lib/costs.js").Measure} Measure */
/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const HEIGHT = 400;
const TOP = 8;
const BOTTOM = 360;
const LEFT = 52;
const RIGHT = 14;
const [SHORTEST, LONGEST] = RANGES.length;
const TICKS = [4, 16, 64, 256, 1024, 4096, 16384];
/** Below this width every second number of the axis has room. */
const NARROW = 360;

/**
 * Powers of ten at the lower and the upper edge, wide enough for all sizes, so that a size that
 * changes moves the curves and not the axis; and the powers between two labels.
 * @type {Record<Measure, [number, number, number]>}
 */
const EDGES = {
  operations: [3, 15.5, 3],
  steps: [0, 4.3, 1],
  path: [0, 4.3, 1],
  memory: [3, 13, 3],
};

/** The widest line lies below the others. @type {import("../../lib/costs.js").Kind[]} */
const UNDERMOST_FIRST = ["convolution", "rnn", "lstm", "attention"];

/** @param {Context} context */
export function createChart({ words, commit, signal }) {
  let width = 560;
  /** @type {Picture | undefined} */
  let now;
  const frame = svg("g", { class: "cb-frame" });
  const hair = svg("path", { class: "cb-hair" });
  const crossed = svg("g", { class: "cb-crossings" });
  const lines = KINDS.map((kind) => {
    const path = svg("path", { class: "cb-curve" });
    const dot = svg("circle", { class: "cb-dot", r: kind === "attention" ? 5.5 : 4 });
    return { kind, path, dot, node: svg("g", { class: `cb-${kind}` }, path, dot) };
  });
  const node = svg(
    "svg",
    { class: "cb-chart", height: HEIGHT, role: "img" },
    frame,
    hair,
    ...UNDERMOST_FIRST.map((kind) => lines[KINDS.indexOf(kind)].node),
    crossed,
  );

  const observer = new ResizeObserver(([entry]) => {
    width = Math.max(240, entry.contentRect.width);
    if (now) draw(now);
  });
  observer.observe(node);
  signal.addEventListener("abort", () => observer.disconnect());

  const toX = () => linear([Math.log2(SHORTEST), Math.log2(LONGEST)], [LEFT, width - RIGHT]);
  let held = false;
  /** @param {PointerEvent} event */
  function read(event) {
    if (!now) return;
    const at = toX().invert(event.clientX - node.getBoundingClientRect().left);
    const stops = stopsOf("length", now.state);
    const length = stops[nearest(stops, 2 ** clamp(at, 0, 20))];
    if (length !== now.state.length) commit({ length });
  }
  node.addEventListener(
    "pointerdown",
    (event) => {
      if (!event.isPrimary || event.button !== 0) return;
      held = true;
      node.setPointerCapture(event.pointerId);
      read(event);
    },
    { signal },
  );
  node.addEventListener("pointermove", (event) => held && read(event), { signal });
  for (const name of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
    node.addEventListener(name, () => (held = false), { signal });
  }

  /** @param {Measure} measure */
  function toY(measure) {
    const [low, high] = EDGES[measure];
    const y = linear([low, high], [BOTTOM, TOP]);
    const unit = measure === "memory" ? BYTES : 1;
    // what the smallest layers take lies on the lower edge
    return (/** @type {number} */ value) => y(Math.max(low, Math.log10(unit * value)));
  }

  let drawn = "";
  /** Axes and grid. @param {Measure} measure */
  function drawFrame(measure) {
    if (drawn === `${measure} ${width}`) return;
    drawn = `${measure} ${width}`;
    put(node, "viewBox", `0 0 ${width} ${HEIGHT}`);
    put(node, "aria-label", fill(words.picture, { measure: words[measure] }));
    const [low, high, apart] = EDGES[measure];
    const x = toX();
    const powers = Array.from({ length: Math.floor(high) - low + 1 }, (_, i) => low + i);
    const y = linear([low, high], [BOTTOM, TOP]);
    const right = width - RIGHT;
    frame.replaceChildren(
      ...powers.flatMap((power) => {
        const at = y(power).toFixed(1);
        const named = power % apart === 0;
        const line = svg("path", { class: named ? "cb-grid" : "cb-fine", d: `M${LEFT} ${at}H${right}` });
        if (!named) return [line];
        const value = 10 ** power / (measure === "memory" ? BYTES : 1);
        const place = { x: LEFT - 6, y: (y(power) + 4).toFixed(1), "text-anchor": "end" };
        return [line, svg("text", place, quantity(words, measure, value))];
      }),
      ...TICKS.filter((_, i) => width >= NARROW || i % 2 === 0).flatMap((tick) => {
        const at = x(Math.log2(tick)).toFixed(1);
        const anchor = tick === LONGEST ? "end" : "middle";
        const place = { x: tick === LONGEST ? width : at, y: BOTTOM + 17, "text-anchor": anchor };
        return [
          svg("path", { class: "cb-grid", d: `M${at} ${TOP}V${BOTTOM}` }),
          svg("text", place, tick.toLocaleString("en")),
        ];
      }),
      svg(
        "text",
        { x: (LEFT + right) / 2, y: HEIGHT - 4, "text-anchor": "middle" },
        words.length_axis,
      ),
    );
  }

  /** @param {Picture} picture */
  function draw({ state, counts }) {
    const { measure, length } = state;
    drawFrame(measure);
    const x = toX();
    const y = toY(measure);
    const at = (/** @type {number} */ n) => x(Math.log2(n));
    // corners close enough together for a bend, and the lengths at which curves begin and end
    const lengths = stopsOf("length", state);
    const values = lengths.map((n) => count(measure, { ...state, length: n }));
    put(hair, "d", `M${at(length).toFixed(1)} ${TOP}V${BOTTOM}`);
    for (const { kind, path, dot } of lines) {
      const corners = lengths.map(
        (n, i) => `${at(n).toFixed(1)} ${y(values[i][kind]).toFixed(1)}`,
      );
      put(path, "d", `M${corners.join("L")}`);
      put(dot, "cx", at(length).toFixed(1));
      put(dot, "cy", y(counts[measure][kind]).toFixed(1));
    }
    const met = Object.values(crossings(state) ?? {}).filter((n) => n >= SHORTEST && n <= LONGEST);
    crossed.replaceChildren(
      ...met.map((n) => {
        const here = count(measure, { ...state, length: n }).attention;
        return svg("circle", { class: "cb-crossing", cx: at(n).toFixed(1), cy: y(here).toFixed(1), r: 8 });
      }),
    );
  }

  return {
    node: element("div", { class: "cb-chart-box" }, node),
    /** @param {Picture} picture */
    update(picture) {
      now = picture;
      draw(picture);
    },
  };
}
