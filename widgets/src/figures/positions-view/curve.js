/** The dot product of the first place with every place, over their distance. */
import { put } from "../../lib/dom.js";
import { linear, svg } from "../../lib/svg.js";
import { MOST_PLACE, PLACES } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const HEIGHT = 150;
const TOP = 10;
const BOTTOM = 112;
const LEFT = 34;
const RIGHT = 10;
const TICKS = [-40, -20, 0, 20, 40, 60];

/** @param {Context} context */
export function createCurve({ words, signal }) {
  let width = 360;
  /** @type {Picture | undefined} */
  let now;
  const frame = svg("g", { class: "cb-frame" });
  const path = svg("path", { class: "cb-curve" });
  const hair = svg("path", { class: "cb-hair" });
  const first = svg("circle", { class: "cb-dot cb-first", r: 5 });
  const second = svg("circle", { class: "cb-dot cb-second", r: 5 });
  const node = svg(
    "svg",
    { class: "cb-dots", height: HEIGHT, role: "img", "aria-label": words.curve },
    frame,
    hair,
    path,
    first,
    second,
  );
  const observer = new ResizeObserver(([entry]) => {
    width = Math.max(220, entry.contentRect.width);
    if (now) draw(now);
  });
  observer.observe(node);
  signal.addEventListener("abort", () => observer.disconnect());

  let drawn = "";
  /** @param {(x: number) => number} x @param {(y: number) => number} y @param {number} most */
  function drawFrame(x, y, most) {
    const wanted = `${width} ${most}`;
    if (drawn === wanted) return;
    drawn = wanted;
    put(node, "viewBox", `0 0 ${width} ${HEIGHT}`);
    const right = width - RIGHT;
    frame.replaceChildren(
      ...[most, 0, -most].flatMap((mark) => [
        svg("path", { class: mark ? "cb-grid" : "cb-zero", d: `M${LEFT} ${y(mark)}H${right}` }),
        svg(
          "text",
          { x: LEFT - 6, y: y(mark) + 4, "text-anchor": "end" },
          String(mark).replace("-", "−"),
        ),
      ]),
      ...TICKS.map((tick) =>
        svg(
          "text",
          { x: x(tick).toFixed(1), y: BOTTOM + 16, "text-anchor": "middle" },
          String(tick).replace("-", "−"),
        ),
      ),
      svg(
        "text",
        { x: (LEFT + right) / 2, y: HEIGHT - 4, "text-anchor": "middle" },
        words.distance_axis,
      ),
    );
  }

  /** @param {Picture} picture */
  function draw({ state, found }) {
    const most = state.width / 2;
    const x = linear([-MOST_PLACE, PLACES - 1], [LEFT, width - RIGHT]);
    const y = linear([-most, most], [BOTTOM, TOP]);
    drawFrame(x, y, most);
    // over the distance and not over the place: so it stays where it is when both places move
    const points = found.dots.map(
      (value, place) => `${x(place - state.place).toFixed(1)} ${y(value).toFixed(1)}`,
    );
    put(path, "d", `M${points.join("L")}`);
    put(hair, "d", `M${x(state.shift).toFixed(1)} ${TOP}V${BOTTOM}`);
    put(first, "cx", x(0).toFixed(1));
    put(first, "cy", y(most).toFixed(1));
    put(second, "cx", x(state.shift).toFixed(1));
    put(second, "cy", y(found.dot).toFixed(1));
  }

  return {
    node,
    /** @param {Picture} picture */
    update(picture) {
      now = picture;
      draw(picture);
    },
  };
}
