/** A guided tour: one thing to do and what to notice at each step. It can be left, resumed and linked to. */
import { element, put, putText } from "../../lib/dom.js";
import { format } from "../../lib/numbers.js";
import { fill } from "../../lib/words.js";
import { TRAITS } from "./state.js";
import { plainTranslation } from "./sentences.js";
import { createStops } from "./stops.js";
import { createBar } from "./tour-bar.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./picture.js").Picture} Picture */
/** @typedef {import("./state.js").State} State */

const KEY = "contextbook-tour";

/** @param {Context} context */
export function createTour(context) {
  const { words, actions, signal, engine, aligning, isPage } = context;
  const stops = createStops(context);
  const count = stops.length;
  const size = engine.config.d_model / engine.config.heads;
  const values = {
    layer: aligning.layer + 1,
    head: aligning.head + 1,
    percent: Math.round(100 * aligning.share),
    size,
    root: plain(Math.sqrt(size)),
    sharp: plain(1 / Math.sqrt(size)),
  };
  const start = element("button", { type: "button" });
  const title = element("p", { class: "cb-heading", tabindex: "-1" });
  const task = element("p", {});
  const notice = element("p", {});
  const show = element("button", { type: "button", class: "cb-primary" }, words.tour_show);
  const back = element("button", { type: "button" }, words.tour_back);
  const next = element("button", { type: "button" }, words.tour_next);
  const leave = element("button", { type: "button" }, words.tour_leave);
  const written = element("span", { lang: "ja" });
  const now = element("p", { class: "cb-tour-now" }, element("span", { class: "cb-note" }, words.tour_now), " ", written);
  const card = element(
    "section",
    { class: "cb-tour", "aria-label": words.tour },
    title,
    task,
    notice,
    now,
    element("div", { class: "cb-tour-buttons" }, show, back, next, leave),
  );
  const slim = createBar({ words, title, show, back, next, signal });
  let step = 0;
  /** Which of the step's states stands there; −1 where none does. */
  let reached = -1;
  /** Whether anything was done for the reader in this step. */
  let shown = false;
  /** What the reader had before the tour. @type {{ state: State, view: import("./state.js").View } | null} */
  let own = null;

  /** Begin a step with what it speaks of, or leave the tour and give back what was there. @param {number} to */
  function enter(to) {
    step = Math.min(to, count);
    shown = false;
    if (step) {
      own ??= actions.now();
      actions.turn({ step, written: null });
      actions.set(stops[step - 1].start);
    } else if (own) {
      actions.turn({ ...own.view, step, written: null });
      actions.set(own.state);
      own = null;
    }
  }

  /** @param {number} to */
  function go(to) {
    enter(to);
    if (to) remember(to);
    if (isPage) {
      const hash = to ? `#step-${to}` : location.pathname + location.search;
      history.replaceState(null, "", hash);
    }
    // what is hidden cannot be focused, and the next frame is too late
    card.hidden = to === 0;
    start.hidden = to !== 0;
    if (to) title.focus({ preventScroll: true });
    else start.focus();
    if (to) actions.show("tour");
  }
  start.addEventListener("click", () => go(recall(count)), { signal });
  leave.addEventListener("click", () => go(0), { signal });
  back.addEventListener("click", () => step > 1 && go(step - 1), { signal });
  next.addEventListener("click", () => go(step < count ? step + 1 : 0), { signal });
  show.addEventListener(
    "click",
    () => {
      const { states, view, place } = stops[step - 1];
      shown = true;
      actions.turn({ written: null, ...view });
      actions.set(states[(reached + 1) % states.length]);
      actions.show(place);
    },
    { signal },
  );

  const node = element("div", {}, start, card);
  node.hidden = count === 0; // a model with other words than the book's

  return {
    node,
    card,
    /** What stands above all else on a phone, once the card is scrolled away. */
    bar: slim.node,
    /** Steps that there are. */
    count,
    enter,
    /** What the reader had is of no more use: a link has brought something else. */
    forget: () => (own = null),
    /** @param {Picture} picture */
    update(picture) {
      const { view, state } = picture;
      step = Math.min(view.step, count);
      card.hidden = step === 0;
      start.hidden = step !== 0;
      putText(start, recall(count) > 1 ? fill(words.tour_resume, { step: recall(count) }) : words.tour_start);
      if (!step) return slim.update([], 0);
      const { text, start: first, states } = stops[step - 1];
      reached = !shown && isSame(first, state) ? -1 : states.findIndex((one) => isSame(one, state));
      putText(title, fill(words.tour_title, { step, count, title: text.title }));
      putText(task, fill(text.task, values));
      putText(notice, fill(text.notice, values));
      putText(show, reached === 0 && states.length > 1 ? words.tour_other : words.tour_show);
      put(back, "aria-disabled", String(step === 1));
      putText(next, step === count ? words.tour_end : words.tour_next);
      putText(written, plainTranslation(context, picture));
      slim.update([title, task, notice, now], step);
    },
  };
}

/** @param {State} one @param {State} other */
function isSame(one, other) {
  const names = /** @type {(keyof State)[]} */ (Object.keys(TRAITS));
  return names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
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

/** A number with as many digits after the point as it needs, two at most: 4, 0.25, 2.83. @param {number} x */
const plain = (x) => format(x).replace(/\.?0+$/, "");
