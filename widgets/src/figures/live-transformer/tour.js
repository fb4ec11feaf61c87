/** A guided tour: one thing to do and what to notice at each step. It can be left, resumed and linked to. */
import { element, put, putText } from "../../lib/dom.js";
import { fill } from "../../lib/words.js";
import { UNTOUCHED, headOf } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */
/** @typedef {Partial<import("./state.js").State>} Patch */
/**
 * @typedef {object} Stop what "Show me" does
 * @property {Patch} state
 * @property {Partial<import("./state.js").View>} [view]
 * @property {"way" | "beside"} [open]
 * @property {string[]} [back] the sentence of every second time: to compare both
 */

const KEY = "contextbook-tour";
const CHASE = "the dog chased the cat .".split(" ");
const BACK = "the cat chased the dog .".split(" ");
const LONG =
  "as the strong young bear which slept was running in this famous big school , it met a rabbit which met the beautiful small fox .".split(" ");

/**
 * @param {Context} context
 * @returns {Stop[]}
 */
function stopsOf({ example, aligning, engine }) {
  const { layer, head } = aligning;
  const cat = example.map((word) => (word === "dog" ? "cat" : word === "cat" ? "dog" : word));
  const align = { kind: /** @type {const} */ ("cross"), layer, head };
  const all = Array.from({ length: engine.config.heads }, (_, one) => headOf("cross", layer, one));
  /** @type {Stop[]} */
  const stops = [
    { state: { sentence: cat }, back: example },
    { state: { sentence: example }, view: { ...align, side: "target", index: 0 } },
    { state: { sentence: example }, view: { kind: "decoder", layer: 0, head: -1, side: "target", index: 3 } },
    { state: { sentence: example, forced: {} }, view: { ...align, side: "target", index: 6 }, open: "way" },
    { state: { sentence: example, forced: { 0: engine.writes("猫") ? "猫" : engine.textOf(4) } }, view: { ...align, side: "target", index: 0 } },
    { state: { sentence: example, temperature: 3 }, view: { ...align, side: "target", index: 6 } },
    { state: { sentence: BACK }, back: CHASE, open: "beside" },
    { state: { sentence: CHASE, positions: false }, view: { kind: "encoder", layer: 0, head: -1 }, open: "beside" },
    { state: { sentence: example, residuals: false } },
    { state: { sentence: example, off: all }, view: align },
    { state: { sentence: LONG }, view: align, open: "beside" },
  ];
  return stops.map((stop) => ({ ...stop, state: { ...UNTOUCHED, ...stop.state } }));
}

/** @param {Context} context */
export function createTour(context) {
  const { words, actions, signal, engine, aligning, isPage } = context;
  const stops = stopsOf(context).filter(({ state }) => state.sentence?.every(engine.knows) ?? true);
  const texts = words.tour_steps;
  const count = Math.min(stops.length, texts.length);
  const start = element("button", { type: "button" });
  const title = element("p", { class: "cb-heading", tabindex: "-1" });
  const task = element("p", {});
  const notice = element("p", {});
  const show = element("button", { type: "button", class: "cb-primary" }, words.tour_show);
  const back = element("button", { type: "button" }, words.tour_back);
  const next = element("button", { type: "button" }, words.tour_next);
  const leave = element("button", { type: "button" }, words.tour_leave);
  const card = element(
    "section",
    { class: "cb-tour", "aria-label": words.tour },
    title,
    task,
    notice,
    element("div", { class: "cb-tour-buttons" }, show, back, next, leave),
  );
  let step = 0;
  /** @type {string[]} */
  let sentence = [];

  /** @param {number} to @param {boolean} [byReader] */
  function go(to, byReader = true) {
    actions.turn({ step: to });
    if (to) remember(to);
    if (isPage) {
      const hash = to ? `#step-${to}` : location.pathname + location.search;
      history.replaceState(null, "", hash);
    }
    if (byReader && to) title.focus({ preventScroll: true });
    else if (byReader) start.focus();
  }
  start.addEventListener("click", () => go(recall(count)), { signal });
  leave.addEventListener("click", () => go(0), { signal });
  back.addEventListener("click", () => step > 1 && go(step - 1), { signal });
  next.addEventListener("click", () => go(step < count ? step + 1 : 0), { signal });
  show.addEventListener(
    "click",
    () => {
      const { state, view, open, back: other } = stops[step - 1];
      const done = other && String(sentence) === String(state.sentence);
      actions.turn({ written: null, ...view });
      actions.set(done ? { ...state, sentence: other } : state);
      if (open) actions.open(open);
    },
    { signal },
  );

  return {
    node: element("div", {}, start, card),
    /** Steps that there are. */
    count,
    /** @param {Picture} picture */
    update({ view, state }) {
      sentence = state.sentence;
      step = Math.min(view.step, count);
      card.hidden = step === 0;
      start.hidden = step !== 0;
      putText(start, recall(count) > 1 ? fill(words.tour_resume, { step: recall(count) }) : words.tour_start);
      if (!step) return;
      const text = texts[step - 1];
      const values = { layer: aligning.layer + 1, head: aligning.head + 1, percent: Math.round(100 * aligning.share), size: engine.config.d_model / engine.config.heads };
      putText(title, fill(words.tour_title, { step, count, title: text.title }));
      putText(task, fill(text.task, values));
      putText(notice, fill(text.notice, values));
      put(back, "aria-disabled", String(step === 1));
      putText(next, step === count ? words.tour_end : words.tour_next);
    },
  };
}

/** @param {number} step */
function remember(step) {
  try {
    localStorage.setItem(KEY, String(step));
  } catch {
    // a browser that keeps nothing: the tour begins anew next time
  }
}

/** @param {number} count */
function recall(count) {
  try {
    const step = Number(localStorage.getItem(KEY));
    return step >= 1 && step <= count ? step : 1;
  } catch {
    return 1;
  }
}
