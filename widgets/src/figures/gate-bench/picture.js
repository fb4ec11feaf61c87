/** What each step offers and its gates as bars; below them cell and hidden state as lines. */
import { nice, ticks } from "d3-array";
import { put, putText } from "../../lib/dom.js";
import { clamp, format, short } from "../../lib/numbers.js";
import { linear, svg } from "../../lib/svg.js";
import { ROWS } from "./state.js";

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

/** Where each row begins. @type {Record<RowName, { top: number, height: number }>} */
const PLACES = { candidate: at(0, CANDIDATE), input_gate: at(0, 0), forget_gate: at(0, 0), output_gate: at(0, 0) };
let top = 0;
for (const name of ROWS) {
  const height = name === "candidate" ? CANDIDATE : GATE;
  PLACES[name] = at(top + TITLE, height);
  top += TITLE + height + GAP;
}
const CURVES_TOP = top + TITLE;
const BOTTOM = CURVES_TOP + CURVES;
const HEIGHT = BOTTOM + BELOW;

/** @param {number} top @param {number} height */
function at(top, height) {
  return { top, height };
}

/** @param {Context} context */
export function createPicture({ words, commit, signal }) {
  let width = 560;
  /** @type {Picture | undefined} */
  let now;
  const band = svg("rect", { class: "cb-band", y: 0, height: BOTTOM, rx: 4 });
  const frame = svg("g", { class: "cb-frame" });
  const bars = svg("g");
  const titles = ROWS.map((name) => title(words[name], PLACES[name].top));
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
    return { kind, path, dots, key, value, text, node: svg("g", { class: `cb-line cb-line-${kind}` }, path, dots, key, text) };
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
        const { top, height } = PLACES[name];
        const toY = linear([name === "candidate" ? -1 : 0, 1], [top + height, top]);
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
      put(path, "d", `M${points.map((point) => point.map((x) => x.toFixed(1)).join(" ")).join("L")}`);
      dots.replaceChildren(
        ...points.map(([x, y], t) => {
          const size = t === chosen ? 5.5 : 3.5;
          if (kind === "cell") return svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: size });
          const corner = [x - size, y - size].map((z) => z.toFixed(1));
          return svg("rect", { x: corner[0], y: corner[1], width: 2 * size, height: 2 * size });
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
    const bases = ROWS.map((name) => {
      const { top, height } = PLACES[name];
      return svg("path", { class: "cb-base", d: `M${LEFT} ${top + (name === "candidate" ? height / 2 : height)}H${width - RIGHT}` });
    });
    const grid = marks.flatMap((mark) => [
      svg("path", { class: mark === 0 ? "cb-base" : "cb-grid", d: `M${LEFT} ${toY(mark).toFixed(1)}H${width - RIGHT}` }),
      svg("text", { x: LEFT - 6, y: (toY(mark) + 4).toFixed(1), "text-anchor": "end" }, short(mark)),
    ]);
    const numbers = Array.from({ length: steps }, (_, t) =>
      svg("text", { x: middle(t).toFixed(1), y: BOTTOM + 17, "text-anchor": "middle" }, String(t + 1)),
    );
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
