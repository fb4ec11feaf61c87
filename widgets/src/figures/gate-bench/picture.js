/** What each step offers and its gates as bars; below them cell and hidden state as lines. */
import { nice, ticks } from "d3-array";
import { put, putText } from "../../lib/dom.js";
import { clamp, format, short } from "../../lib/numbers.js";
import { linear, svg } from "../../lib/svg.js";
import { ROWS, lowest } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */
/** @typedef {import("./state.js").RowName} RowName */

const TITLE = 20;
const CANDIDATE = 44;
const GATE = 26;
const GAP = 8;
const CURVES = 150;
const BELOW = 22;
const LEFT = 30;
const RIGHT = 6;

/** @param {RowName} name */
const heightOf = (name) => (name === "candidate" ? CANDIDATE : GATE);

/** Where the bars of a row begin: below its title and all rows above. @param {RowName} name */
function topOf(name) {
  const above = ROWS.slice(0, ROWS.indexOf(name));
  return above.reduce((top, row) => top + TITLE + heightOf(row) + GAP, TITLE);
}

const CURVES_TOP = topOf("output_gate") + GATE + GAP + TITLE;
const BOTTOM = CURVES_TOP + CURVES;
const HEIGHT = BOTTOM + BELOW;

/** @param {Context} context */
export function createPicture({ words, commit, signal }) {
  let width = 560;
  /** @type {Picture | undefined} */
  let now;
  const band = svg("rect", { class: "cb-band", y: 0, height: BOTTOM, rx: 4 });
  const frame = svg("g", { class: "cb-frame" });
  const bars = svg("g");
  const titles = ROWS.map((name) => title(words[name], topOf(name)));
  const lines = [curve("cell", words.cell), curve("hidden", words.hidden)];
  const node = svg(
    "svg",
    { class: "cb-steps", height: HEIGHT, role: "img", "aria-label": words.picture },
    band,
    frame,
    bars,
    ...titles.map(({ node }) => node),
    ...lines.map(({ node }) => node),
  );

  const observer = new ResizeObserver(([entry]) => {
    width = Math.max(240, entry.contentRect.width);
    if (now) draw(now);
  });
  observer.observe(node);
  signal.addEventListener("abort", () => observer.disconnect());

  node.addEventListener(
    "click",
    (event) => {
      if (!now) return;
      const steps = now.state.candidate.length;
      const x = event.clientX - node.getBoundingClientRect().left - LEFT;
      commit({ step: clamp(1 + Math.floor((x / (width - LEFT - RIGHT)) * steps), 1, steps) });
    },
    { signal },
  );

  /** @param {string} name @param {number} top */
  function title(name, top) {
    const value = svg("tspan", { class: "cb-value", dx: 8 });
    return { value, node: svg("text", { class: "cb-title", x: LEFT, y: top - 6 }, name, value) };
  }

  /** @param {"cell" | "hidden"} kind @param {string} name */
  function curve(kind, name) {
    const path = svg("path", { class: "cb-curve" });
    const dots = svg("g");
    const key = svg("path", { class: "cb-curve" });
    const value = svg("tspan", { class: "cb-value", dx: 8 });
    const text = svg("text", { class: "cb-title", y: CURVES_TOP - 6 }, name, value);
    const node = svg("g", { class: `cb-line cb-line-${kind}` }, path, dots, key, text);
    return { kind, path, dots, key, value, text, node };
  }

  /** @param {Picture} picture */
  function draw({ state, run }) {
    const steps = state.candidate.length;
    const chosen = state.step - 1;
    const column = (width - LEFT - RIGHT) / steps;
    const middle = (/** @type {number} */ t) => LEFT + (t + 0.5) * column;
    put(node, "viewBox", `0 0 ${width} ${HEIGHT}`);
    put(band, "x", (LEFT + chosen * column).toFixed(1));
    put(band, "width", column.toFixed(1));

    bars.replaceChildren(
      ...ROWS.flatMap((name) => {
        const top = topOf(name);
        const toY = linear([lowest(name), 1], [top + heightOf(name), top]);
        return state[name].map((value, t) => {
          const [y0, y1] = [toY(0), toY(value)];
          return svg("rect", {
            class: `cb-bar cb-${name}`,
            x: (middle(t) - 0.35 * column).toFixed(1),
            width: (0.7 * column).toFixed(1),
            y: Math.min(y0, y1).toFixed(1),
            height: Math.abs(y1 - y0).toFixed(1),
          });
        });
      }),
    );
    ROWS.forEach((name, i) => putText(titles[i].value, format(state[name][chosen])));

    const values = [...run.cell, ...run.hidden];
    const [low, high] = nice(Math.min(-1, ...values), Math.max(1, ...values), 4);
    const toY = linear([low, high], [BOTTOM, CURVES_TOP]);
    drawFrame(steps, middle, toY, ticks(low, high, 4));

    const gutter = Math.max(150, (width - LEFT) / 2);
    lines.forEach(({ kind, path, dots, key, value, text }, i) => {
      const points = run[kind].map((y, t) => [middle(t), toY(y)]);
      const corners = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`);
      put(path, "d", `M${corners.join("L")}`);
      dots.replaceChildren(
        ...points.map(([x, y], t) => {
          const size = t === chosen ? 5.5 : 3.5;
          if (kind === "cell") {
            return svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: size });
          }
          const [left, top] = [x - size, y - size].map((z) => z.toFixed(1));
          return svg("rect", { x: left, y: top, width: 2 * size, height: 2 * size });
        }),
      );
      const left = LEFT + i * gutter;
      put(key, "d", `M${left} ${CURVES_TOP - 10}h18`);
      put(text, "x", left + 24);
      putText(value, format(run[kind][chosen]));
    });
  }

  let drawn = "";
  /**
   * @param {number} steps
   * @param {(t: number) => number} middle
   * @param {(y: number) => number} toY
   * @param {number[]} marks
   */
  function drawFrame(steps, middle, toY, marks) {
    const wanted = `${steps} ${width} ${marks}`;
    if (drawn === wanted) return;
    drawn = wanted;
    const right = width - RIGHT;
    const bases = ROWS.map((name) => {
      const zero = topOf(name) + heightOf(name) / (name === "candidate" ? 2 : 1);
      return svg("path", { class: "cb-base", d: `M${LEFT} ${zero}H${right}` });
    });
    const grid = marks.flatMap((mark) => {
      const y = toY(mark);
      const line = { class: mark === 0 ? "cb-base" : "cb-grid", d: `M${LEFT} ${y.toFixed(1)}H${right}` };
      const place = { x: LEFT - 6, y: (y + 4).toFixed(1), "text-anchor": "end" };
      return [svg("path", line), svg("text", place, short(mark))];
    });
    const numbers = Array.from({ length: steps }, (_, t) => {
      const place = { x: middle(t).toFixed(1), y: BOTTOM + 17, "text-anchor": "middle" };
      return svg("text", place, String(t + 1));
    });
    frame.replaceChildren(...bases, ...grid, ...numbers);
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
