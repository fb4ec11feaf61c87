/** The map: a mark for each word where its direction points, and the query as an arrow to drag. */
import { put } from "../../lib/dom.js";
import { movable } from "../../lib/move.js";
import { clamp, format, roundTo } from "../../lib/numbers.js";
import { linear, svg } from "../../lib/svg.js";
import { fill } from "../../lib/words.js";
import { boxAround } from "./labels.js";
import { createNames } from "./names.js";
import { colour, shape } from "./shapes.js";
import { MAX_COORDINATE, RINGED, reach } from "./state.js";

/** @typedef {import("./state.js").Point} Point */
/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const PUCK = 9;
const TOUCH = 22;
const NEAR = 14;
/** Radius of the mark of a vector of average length, in pixels. */
const MARK = 4.2;

/** @param {Context} context */
export function createMap({ words, space, actions, signal }) {
  /** @type {Picture} */
  let now;
  let size = 400;
  const usual = reach(space.places);
  let half = usual;

  const mean = space.lengths.reduce((sum, length) => sum + length, 0) / space.lengths.length;
  const radii = space.lengths.map((length) => clamp((MARK * length) / (mean || 1), 1.8, 12));
  const kinds = space.classes.map((kind) => space.kinds.indexOf(kind));

  const marks = space.words.map((_, i) => {
    const node = svg("g", { class: "cb-mark" }, shape(kinds[i]));
    node.style.setProperty("--colour", colour(kinds[i]));
    return node;
  });
  const names = createNames({ space });
  const rings = Array.from({ length: 2 * RINGED }, (_, i) =>
    svg("circle", { class: `cb-ring cb-by-${i < RINGED ? "cosine" : "product"}` }),
  );
  const spot = svg("circle", { class: "cb-spot" });
  const axes = svg("path", { class: "cb-axes" });
  const shadow = svg("path", { class: "cb-shadow" });
  const steps = [0, 1].map(() => svg("path", { class: "cb-step" }));
  const arrow = svg("line", { class: "cb-arrow" });
  const focus = svg("g", { class: "cb-handle cb-query", tabindex: 0, role: "slider" });
  const hint = svg("text", { class: "cb-drag-hint", "text-anchor": "middle" }, words.drag_hint);
  const puck = svg(
    "g",
    { class: "cb-puck" },
    svg("circle", { class: "cb-touch", r: TOUCH }),
    svg("circle", { class: "cb-focus-ring", r: PUCK + 4 }),
    svg("circle", { class: "cb-disc", r: PUCK }),
    svg("text", { class: "cb-puck-name", "text-anchor": "middle", dy: "0.3em" }, "q"),
    hint,
  );
  const ground = svg("rect", { class: "cb-ground", rx: 8 });
  const node = svg(
    "svg",
    { class: "cb-map", role: "group", "aria-label": words.map },
    ground,
    axes,
    svg("g", {}, ...marks),
    spot,
    ...rings,
    shadow,
    arrow,
    ...steps,
    names.node,
    focus,
    puck,
  );

  const observer = new ResizeObserver(([entry]) => {
    size = Math.max(220, Math.round(entry.contentRect.width));
    if (now) draw();
  });
  observer.observe(node);
  signal.addEventListener("abort", () => observer.disconnect());

  const toX = (/** @type {number} */ x) => linear([-half, half], [0, size])(x);
  const toY = (/** @type {number} */ y) => linear([-half, half], [size, 0])(y);
  const toPixels = (/** @type {Point} */ [x, y]) => ({ x: toX(x), y: toY(y) });
  const step = () => 10 ** Math.floor(Math.log10(half / 10));

  /** @param {{ clientX: number, clientY: number }} event @returns {Point} */
  function at(event) {
    const box = node.getBoundingClientRect();
    const x = linear([box.left, box.right], [-half, half])(event.clientX);
    const y = linear([box.bottom, box.top], [-half, half])(event.clientY);
    return [x, y];
  }

  /** Into the map, on a fine grid. @param {Point} point @returns {Point} */
  function settled(point) {
    const rim = Math.min(half * 0.97, MAX_COORDINATE);
    const [x, y] = point.map((one) => roundTo(clamp(one, -rim, rim), step() / 10));
    return [x, y];
  }

  /** The visible word at a pointer, if one is near enough. @param {MouseEvent} event @param {number} near */
  function wordAt(event, near) {
    const [x, y] = at(event);
    const pixel = size / (2 * half);
    let best = { i: /** @type {number | null} */ (null), distance: near };
    space.places.forEach(([px, py], i) => {
      const distance = Math.hypot(x - px, y - py) * pixel - radii[i] / 2;
      if (isShown(i) && distance < best.distance) best = { i, distance };
    });
    return best.i;
  }
  const isShown = (/** @type {number} */ i) => now.state.shown.includes(space.classes[i]);
  const onPuck = (/** @type {Event} */ event) =>
    Boolean(/** @type {Element} */ (event.target).closest(".cb-puck"));

  movable({
    grip: puck,
    focus,
    get: () => now.found.at,
    set: (point) => actions.askPlace(settled(point)),
    at,
    step,
    signal,
  });
  node.addEventListener(
    "click",
    (event) => {
      if (onPuck(event)) return;
      const i = wordAt(event, NEAR);
      if (i === null) actions.askPlace(settled(at(event)));
      else actions.askWord(space.words[i]);
    },
    { signal },
  );
  node.addEventListener(
    "pointermove",
    (event) => {
      if (event.pointerType !== "touch") actions.mark(onPuck(event) ? null : wordAt(event, NEAR));
    },
    { signal },
  );
  node.addEventListener("pointerleave", () => actions.mark(null), { signal });

  const pixelMarks = () => space.places.map((place, i) => ({ ...toPixels(place), r: radii[i] + 1 }));

  function draw() {
    const { state, found } = now;
    half = Math.max(usual, state.asks === "analogy" ? reach([found.at]) : 0);
    put(node, "viewBox", `0 0 ${size} ${size}`);
    for (const name of ["width", "height"]) put(ground, name, size);
    put(axes, "d", `M0 ${toY(0)}H${size}M${toX(0)} 0V${size}`);
    marks.forEach((mark, i) => {
      const { x, y } = toPixels(space.places[i]);
      put(mark, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${radii[i].toFixed(2)})`);
      mark.classList.toggle("cb-gone", !isShown(i));
    });
    drawRings();
    drawQuery();
    drawNames();
    drawSpot();
    drawSteps();
    describe(focus);
  }

  function drawRings() {
    const { byCosine, byProduct } = now.found;
    rings.forEach((ring, place) => {
      const i = (place < RINGED ? byCosine : byProduct)[place % RINGED];
      ring.classList.toggle("cb-gone", i === undefined);
      if (i === undefined) return;
      const { x, y } = toPixels(space.places[i]);
      put(ring, "cx", x.toFixed(1));
      put(ring, "cy", y.toFixed(1));
      put(ring, "r", (radii[i] + (place < RINGED ? 3 : 6)).toFixed(1));
    });
  }

  /** Where the hint stands, from the middle of the puck. @param {{ y: number }} puckAt */
  const hintAt = ({ y }) => (y > 40 ? -15 : 25);

  function drawQuery() {
    const { x, y } = toPixels(now.found.at);
    put(arrow, "x1", toX(0).toFixed(1));
    put(arrow, "y1", toY(0).toFixed(1));
    put(arrow, "x2", x.toFixed(1));
    put(arrow, "y2", y.toFixed(1));
    put(puck, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    hint.classList.toggle("cb-gone", now.touched);
    put(hint, "x", (clamp(x, 30, size - 30) - x).toFixed(1));
    put(hint, "y", hintAt({ y }));
  }

  function drawNames() {
    const puckAt = toPixels(now.found.at);
    const taken = [boxAround(puckAt, PUCK)];
    if (!now.touched) taken.push(boxAround({ x: puckAt.x, y: puckAt.y + hintAt(puckAt) - 4 }, 24, 8));
    const marks = pixelMarks();
    names.update({ picture: now, marks, size, taken, covered: PUCK + 1 });
  }

  /** The marked word, and where it falls on a query that lies in the map's own plane. */
  function drawSpot() {
    const { marked } = now;
    const visible = marked !== null && isShown(marked);
    spot.classList.toggle("cb-gone", !visible);
    put(shadow, "d", "");
    if (!visible) return;
    const { x, y } = toPixels(space.places[marked]);
    put(spot, "cx", x.toFixed(1));
    put(spot, "cy", y.toFixed(1));
    put(spot, "r", (radii[marked] + 8).toFixed(1));
    const [qx, qy] = now.found.at;
    const square = qx ** 2 + qy ** 2;
    if (now.state.asks !== "place" || square === 0) return;
    const [wx, wy] = space.places[marked];
    const share = (wx * qx + wy * qy) / square;
    const foot = toPixels([share * qx, share * qy]);
    put(shadow, "d", `M${x} ${y}L${foot.x} ${foot.y}L${toX(0)} ${toY(0)}`);
  }

  /** The way from a to b, and the same way from c to the query. */
  function drawSteps() {
    const asked = now.state.asks === "analogy";
    for (const one of steps) one.classList.toggle("cb-gone", !asked);
    if (!asked) return;
    const [a, b, c] = now.found.used.map((i) => toPixels(space.places[i]));
    put(steps[0], "d", way(a, b));
    put(steps[1], "d", way(c, toPixels(now.found.at)));
  }

  /** @param {Element} handle */
  function describe(handle) {
    const [x, y] = now.found.at;
    put(handle, "aria-label", words.query);
    put(handle, "aria-valuemin", format(-half).replace("−", "-"));
    put(handle, "aria-valuemax", format(half));
    put(handle, "aria-valuenow", format(x).replace("−", "-"));
    put(handle, "aria-valuetext", fill(words.place, { x: format(x), y: format(y) }));
  }

  return {
    node,
    /** @param {Picture} picture */
    update(picture) {
      now = picture;
      draw();
    },
  };
}

/** An arrow from one point to another. @param {{ x: number, y: number }} from @param {{ x: number, y: number }} to */
function way(from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [ux, uy] = length ? [(to.x - from.x) / length, (to.y - from.y) / length] : [0, 0];
  const head = Math.min(7, length);
  const [bx, by] = [to.x - ux * head, to.y - uy * head];
  const side = head * 0.5;
  const tip = `${to.x.toFixed(1)} ${to.y.toFixed(1)}`;
  const left = `${(bx - uy * side).toFixed(1)} ${(by + ux * side).toFixed(1)}`;
  const right = `${(bx + uy * side).toFixed(1)} ${(by - ux * side).toFixed(1)}`;
  return `M${from.x.toFixed(1)} ${from.y.toFixed(1)}L${tip}M${left}L${tip}L${right}`;
}
