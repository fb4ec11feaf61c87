/** The gradient over distance, on a logarithmic axis, and the place that is read off. */
import { element, put, putText, uniqueId } from "../../lib/dom.js";
import { clamp } from "../../lib/numbers.js";
import { linear, svg } from "../../lib/svg.js";
import { power } from "./sentences.js";
import { MAX_LENGTH, distanceOf } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const HEIGHT = 300;
const TOP = 12;
const BOTTOM = 262;
const LEFT = 46;
const RIGHT = 12;
/** Powers of ten at the lower and the upper edge. */
export const LOWEST = -12;
export const HIGHEST = 6;

/** @param {Context} context */
export function createChart({ words, actions, signal }) {
  let width = 640;
  /** @type {Picture | undefined} */
  let now;
  const clip = uniqueId("bench-clip");
  const window = svg("rect", { x: LEFT, y: TOP, height: BOTTOM - TOP });
  const frame = svg("g", { class: "cb-frame" });
  const reference = svg("path", { class: "cb-reference" });
  const curve = svg("path", { class: "cb-curve" });
  const halfLine = svg("path", { class: "cb-half-line" });
  const halfName = svg("text", { class: "cb-half-name", y: TOP + 14 }, "½");
  const hair = svg("path", { class: "cb-hair" });
  const dot = svg("circle", { class: "cb-reading-dot", r: 6 });
  const node = svg(
    "svg",
    { class: "cb-chart", height: HEIGHT, role: "img" },
    svg("clipPath", { id: clip }, window),
    frame,
    svg("g", { "clip-path": `url(#${clip})` }, halfLine, reference, curve, hair),
    halfName,
    dot,
  );
  const legend = element(
    "p",
    { class: "cb-legend", "aria-hidden": "true" },
    element("span", { class: "cb-key-curve" }, words.curve),
    element("span", { class: "cb-key-reference" }, words.reference),
    element("span", { class: "cb-key-half" }, words.half_mark),
  );

  const observer = new ResizeObserver(([entry]) => {
    width = Math.max(260, entry.contentRect.width);
    if (now) draw(now);
  });
  observer.observe(node);
  let held = false;
  /** @param {PointerEvent} event */
  function read(event) {
    const distance = scales().x.invert(event.clientX - node.getBoundingClientRect().left);
    actions.read(Math.round(distance));
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
  signal.addEventListener("abort", () => observer.disconnect());

  const scales = () => ({
    x: linear([0, MAX_LENGTH - 1], [LEFT, width - RIGHT]),
    y: linear([LOWEST, HIGHEST], [BOTTOM, TOP]),
  });

  let drawn = 0;
  /** Axes and grid, for each width once. */
  function drawFrame() {
    if (drawn === width) return;
    drawn = width;
    const { x, y } = scales();
    put(node, "viewBox", `0 0 ${width} ${HEIGHT}`);
    put(window, "width", width - LEFT - RIGHT);
    const decades = [-12, -9, -6, -3, 0, 3, 6];
    frame.replaceChildren(
      ...decades.flatMap((exponent) => [
        svg("path", {
          class: exponent === 0 ? "cb-one" : "cb-grid",
          d: `M${LEFT} ${y(exponent)}H${width - RIGHT}`,
        }),
        svg(
          "text",
          { x: LEFT - 8, y: y(exponent) + 4, "text-anchor": "end" },
          exponent === 0 ? "1" : power(exponent),
        ),
      ]),
      ...[0, 20, 40, 60, 80, 100, 120].flatMap((tick) => [
        svg("path", { class: "cb-tick", d: `M${x(tick)} ${BOTTOM}v5` }),
        svg("text", { x: x(tick), y: BOTTOM + 18, "text-anchor": "middle" }, String(tick)),
      ]),
      svg(
        "text",
        { class: "cb-axis-name", x: (LEFT + width) / 2, y: HEIGHT - 4, "text-anchor": "middle" },
        words.distance_axis,
      ),
    );
  }

  /** @param {Picture} picture */
  function draw({ state, found }) {
    drawFrame();
    const { x, y } = scales();
    // a little beyond both edges, so that a curve that leaves the picture is seen to leave it
    const height = (/** @type {number} */ share) =>
      y(clamp(share > 0 ? Math.log10(share) : -Infinity, LOWEST - 2, HIGHEST + 2));
    const line = (/** @type {number[]} */ shares) =>
      `M${shares.map((share, d) => `${x(d).toFixed(1)} ${height(share).toFixed(1)}`).join("L")}`;
    put(curve, "d", line(found.curve));
    put(reference, "d", line(found.curve.map((_, d) => state.radius ** d)));
    const at = found.half === null ? null : x(found.half);
    put(halfLine, "d", at === null ? "" : `M${at} ${TOP}V${BOTTOM}`);
    putText(halfName, at === null ? "" : "½");
    put(halfName, "x", (at ?? LEFT) + 5);
    const distance = distanceOf(state);
    put(hair, "d", `M${x(distance).toFixed(1)} ${TOP}V${BOTTOM}`);
    put(dot, "cx", x(distance).toFixed(1));
    put(dot, "cy", clamp(height(found.curve[distance]), TOP, BOTTOM).toFixed(1));
  }

  return {
    node: element("div", { class: "cb-chart-box" }, node, legend),
    /** @param {Picture} picture @param {string} label the picture in words */
    update(picture, label) {
      now = picture;
      put(node, "aria-label", label);
      draw(picture);
    },
  };
}
