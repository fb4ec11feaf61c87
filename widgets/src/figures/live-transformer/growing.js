/** The translation written anew, a word at a time, at the reader's pace or by itself. */
import { element, put, putText } from "../../lib/dom.js";
import { fill } from "../../lib/words.js";

/** @typedef {import("./index.js").Context} Context */

const PACE = 700;

/** @param {Context} context */
export function createGrowing({ words, actions, signal }) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  let count = 0;
  let written = 0;
  /** Whether all is shown: it has not begun, or has come to its end. */
  let whole = true;
  const again = element("button", { type: "button" }, words.write_again);
  const back = element("button", { type: "button", "aria-label": words.word_back }, "‹");
  const next = element("button", { type: "button", "aria-label": words.word_next }, "›");
  const note = element("span", { class: "cb-note" });

  function stop() {
    clearInterval(timer);
    timer = undefined;
    putText(again, words.write_again);
  }

  /** @param {number} to */
  function go(to) {
    const at = Math.min(Math.max(to, 1), count);
    actions.write(at === count ? null : at);
    if (at === count) stop();
  }

  again.addEventListener(
    "click",
    () => {
      if (timer) return stop();
      // whoever prefers no motion goes on by hand, a word at each press
      if (window.matchMedia?.("(prefers-reduced-motion: reduce)").matches) return go(whole ? 1 : written + 1);
      go(1);
      timer = setInterval(() => go(written + 1), PACE);
      putText(again, words.pause);
    },
    { signal },
  );
  back.addEventListener("click", () => (stop(), go(written - 1)), { signal });
  next.addEventListener("click", () => (stop(), go(written + 1)), { signal });
  signal.addEventListener("abort", stop);

  return {
    node: element("div", { class: "cb-growing", role: "group", "aria-label": words.growing }, again, back, next, note),
    /** @param {import("./picture.js").Picture} picture */
    update({ translation, steps, more, view }) {
      whole = view.written === null;
      count = translation.steps.length;
      written = steps.length;
      putText(note, fill(more ? words.no_end : words.written, { count: written, all: count }));
      put(back, "aria-disabled", String(written <= 1));
      put(next, "aria-disabled", String(written >= count));
    },
  };
}
