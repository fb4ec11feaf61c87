/** The plane: keys as points, the query as an arrow with a puck to drag. */
import { put, putText } from "../../lib/dom.js";
import { movable } from "../../lib/move.js";
import { clamp, roundTo } from "../../lib/numbers.js";
import { linear, shorten, svg, textWidth } from "../../lib/svg.js";
import { fill } from "../../lib/words.js";
import { placeOf } from "./sentences.js";
import { MAX_COORDINATE } from "./state.js";

/** @typedef {import("./state.js").Point} Point */
/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const SIZE = 360;
const FONT = 13;

/** @param {Context} context */
export function createPlane({ words, labels, actions, signal }) {
  /** @type {Picture} */
  let now;
  const beams = svg("g");
  const shadow = svg("path", { class: "cb-shadow" });
  const arrow = svg("line", { class: "cb-arrow" });
  const queryFocus = svg("g", { class: "cb-handle cb-query", tabindex: 0, role: "slider" });
  const keyHandles = svg("g");
  const hint = svg("text", { class: "cb-drag-hint", "text-anchor": "middle" }, words.drag_hint);
  const puck = svg(
    "g",
    { class: "cb-puck" },
    svg("circle", { class: "cb-touch", r: 22 }),
    svg("circle", { class: "cb-ring", r: 15 }),
    svg("circle", { class: "cb-disc", r: 11 }),
    svg("text", { class: "cb-puck-name", "text-anchor": "middle", dy: "0.3em" }, "q"),
    hint,
  );
  const node = svg(
    "svg",
    { class: "cb-plane", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "group", "aria-label": words.plane },
    frame(labels.axes),
    beams,
    shadow,
    arrow,
    queryFocus,
    keyHandles,
    puck,
  );

  const toX = (/** @type {number} */ x) => linear([-now.half, now.half], [0, SIZE])(x);
  const toY = (/** @type {number} */ y) => linear([-now.half, now.half], [SIZE, 0])(y);
  // ten to thirty key presses from the middle to the rim
  const step = () => 10 ** Math.floor(Math.log10(now.half / 10));

  /** @param {{ clientX: number, clientY: number }} event @returns {Point} */
  function at(event) {
    const box = node.getBoundingClientRect();
    const x = linear([box.left, box.right], [-now.half, now.half])(event.clientX);
    const y = linear([box.bottom, box.top], [-now.half, now.half])(event.clientY);
    return [x, y];
  }

  /** Into the plane, on a grid of hundredths of its width. @param {Point} point @returns {Point} */
  function settled(point) {
    const rim = Math.min(now.half * 0.96, MAX_COORDINATE);
    const [x, y] = point.map((x) => roundTo(clamp(x, -rim, rim), step() / 10));
    return [x, y];
  }

  movable({
    grip: puck,
    focus: queryFocus,
    get: () => now.state.query,
    set: (point) => actions.moveQuery(settled(point)),
    at,
    step,
    signal,
  });
  node.addEventListener(
    "dblclick",
    (event) => {
      const onHandle = /** @type {Element} */ (event.target).closest(".cb-key, .cb-puck");
      if (!onHandle) actions.addKey(settled(at(event)));
    },
    { signal },
  );

  /** @param {number} index */
  function createKey(index) {
    const beam = svg("line", { class: "cb-beam" });
    beams.append(beam);
    const halo = svg("circle", { class: "cb-halo" });
    const name = svg("text", { class: "cb-name", "text-anchor": "middle" });
    const handle = svg(
      "g",
      { class: "cb-handle cb-key", tabindex: 0, role: "slider" },
      halo,
      svg("circle", { class: "cb-touch", r: 16 }),
      svg("circle", { class: "cb-ring", r: 10 }),
      svg("circle", { class: "cb-dot", r: 5.5 }),
      name,
    );
    keyHandles.append(handle);
    movable({
      grip: handle,
      get: () => now.state.keys[index],
      set: (point) => actions.moveKey(index, settled(point)),
      at,
      step,
      signal,
    });
    actions.marks(handle, index);
    return { beam, halo, name, handle };
  }

  /** @type {ReturnType<typeof createKey>[]} */
  let parts = [];

  return {
    node,
    /** @param {number} index */
    focusKey: (index) => parts[index].handle.focus({ preventScroll: true }),

    /** @param {string[]} colours one for each key */
    rebuild(colours) {
      beams.replaceChildren();
      keyHandles.replaceChildren();
      parts = colours.map((_, index) => createKey(index));
      parts.forEach(({ beam, handle }, index) => {
        for (const part of [beam, handle]) part.style.setProperty("--colour", colours[index]);
      });
    },

    /** @param {Picture} picture */
    update(picture) {
      now = picture;
      const { state, found, marked, touched } = picture;
      parts.forEach(({ beam, halo, name, handle }, i) => {
        const [x, y] = [toX(state.keys[i][0]), toY(state.keys[i][1])];
        const weight = found.weights[i];
        const allowed = state.mask[i];
        put(handle, "transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
        handle.classList.toggle("cb-masked", !allowed);
        handle.classList.toggle("cb-marked", marked === i);
        describe(handle, fill(words.key_handle, { name: state.names[i] }), state.keys[i]);
        // areas, not radii, say how much
        put(halo, "r", (30 * Math.sqrt(weight)).toFixed(2));
        placeLabel(name, state.names[i], x, y, 30 * Math.sqrt(weight));
        drawLine(beam, x, y);
        put(beam, "stroke-width", (allowed ? 1 + 9 * weight : 0).toFixed(2));
      });
      const [qx, qy] = [toX(state.query[0]), toY(state.query[1])];
      drawLine(arrow, qx, qy);
      put(puck, "transform", `translate(${qx.toFixed(2)} ${qy.toFixed(2)})`);
      describe(queryFocus, words.query, state.query);
      hint.classList.toggle("cb-gone", touched);
      put(hint, "x", (clamp(qx, 30, SIZE - 30) - qx).toFixed(1));
      put(hint, "y", (qy < SIZE / 2 ? qy > 40 : qy > SIZE - 40) ? -19 : 29);
      put(shadow, "d", marked === null ? "" : projection(state.keys[marked], state.query));
    },
  };

  /**
   * The key's shadow on the query's line: its length times that of the query is the product.
   * @param {Point} key
   * @param {Point} query
   */
  function projection(key, query) {
    const square = query[0] ** 2 + query[1] ** 2;
    if (square === 0) return "";
    const share = (key[0] * query[0] + key[1] * query[1]) / square;
    const foot = [toX(share * query[0]), toY(share * query[1])];
    return `M${toX(key[0])} ${toY(key[1])}L${foot}L${SIZE / 2} ${SIZE / 2}`;
  }

  /** @param {Element} handle @param {string} name @param {Point} point */
  function describe(handle, name, point) {
    put(handle, "aria-label", name);
    put(handle, "aria-valuemin", -now.half);
    put(handle, "aria-valuemax", now.half);
    put(handle, "aria-valuenow", point[0]);
    put(handle, "aria-valuetext", placeOf(words, labels, point));
  }
}

/** @param {SVGLineElement} line from the origin @param {number} x @param {number} y */
function drawLine(line, x, y) {
  put(line, "x1", SIZE / 2);
  put(line, "y1", SIZE / 2);
  put(line, "x2", x.toFixed(2));
  put(line, "y2", y.toFixed(2));
}

/**
 * Away from the middle, where the lines are, and inside the plane.
 * @param {SVGTextElement} label
 * @param {string} name
 * @param {number} x
 * @param {number} y of the key, in pixels
 * @param {number} radius of its halo
 */
function placeLabel(label, name, x, y, radius) {
  const text = shorten(name, 10);
  putText(label, text);
  const half = (textWidth(text) * FONT) / 2 + 3;
  const distance = Math.max(10, radius) + 4;
  const above = y < SIZE / 2 ? y - distance - FONT > 4 : y + distance + FONT > SIZE - 4;
  put(label, "x", (clamp(x, half, SIZE - half) - x).toFixed(1));
  put(label, "y", (above ? -distance : distance + FONT * 0.75).toFixed(1));
}

/** The two axes with a word at each end. @param {[[string, string], [string, string]]} axes */
function frame([[left, right], [bottom, top]]) {
  const mid = SIZE / 2;
  return svg(
    "g",
    { class: "cb-frame", "aria-hidden": "true" },
    svg("rect", { class: "cb-ground", width: SIZE, height: SIZE, rx: 8 }),
    svg("path", { class: "cb-axes", d: `M0 ${mid}H${SIZE}M${mid} 0V${SIZE}` }),
    svg("text", { x: 7, y: mid - 6 }, left && `← ${left}`),
    svg("text", { x: SIZE - 7, y: mid - 6, "text-anchor": "end" }, right && `${right} →`),
    svg("text", { x: mid + 6, y: SIZE - 8 }, bottom && `↓ ${bottom}`),
    svg("text", { x: mid + 6, y: 17 }, top && `↑ ${top}`),
  );
}
