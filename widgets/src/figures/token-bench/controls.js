/** Texts to choose from, the number of merges, and one merge forth or back. */
import { element, put } from "../../lib/dom.js";
import { slider } from "../../lib/slider.js";
import { fill } from "../../lib/words.js";
import { nextOf } from "./sentences.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/**
 * @param {Context} context
 * @param {object} options
 * @param {[string, string][]} options.presets label and text
 * @param {(text: string) => void} options.choose
 * @param {() => void} options.reset
 */
export function createControls(context, { presets, choose, reset }) {
  const { words, tokenizer, commit, signal } = context;
  const all = tokenizer.merges.length;
  /** @type {Picture} */
  let now;

  const texts = presets.map(([label, text]) => button(label, () => choose(text)));
  const merges = slider({
    label: words.merges,
    min: 0,
    max: all,
    step: 1,
    format: (used) => fill(words.of_all, { used, all }),
    onInput: (used) => commit({ used }),
    marks: all
      ? [
          [0, words.no_merges],
          [all, words.all_merges],
        ]
      : [],
    signal,
  });
  const back = button(words.back, () => {
    if (now.cuts.last !== null) commit({ used: now.cuts.last - 1 });
  });
  const forth = button(words.forth, () => {
    if (now.cuts.next) commit({ used: now.cuts.next.number });
  });
  const again = button(words.reset, reset);
  again.classList.add("cb-reset");
  const next = element("p", { class: "cb-next-merge" });
  const node = element(
    "div",
    { class: "cb-controls" },
    element(
      "div",
      { class: "cb-buttons", role: "group", "aria-label": words.texts },
      ...texts,
      again,
    ),
    merges.node,
    element("div", { class: "cb-stepper" }, back, forth, next),
  );

  /** @param {string} label @param {() => void} press */
  function button(label, press) {
    const made = element("button", { type: "button" }, label);
    made.addEventListener("click", press, { signal });
    return made;
  }

  /**
   * A button that can do nothing keeps the focus: a keyboard would lose its place.
   * @param {HTMLButtonElement} made
   * @param {boolean} useful
   */
  function enable(made, useful) {
    put(made, "aria-disabled", String(!useful));
  }

  return {
    node,
    /** @param {Picture} picture */
    update(picture) {
      now = picture;
      const { state, cuts } = picture;
      texts.forEach((made, i) => put(made, "aria-pressed", String(presets[i][1] === state.text)));
      merges.update(state.used);
      enable(back, cuts.last !== null);
      enable(forth, cuts.next !== null && cuts.next.number <= all);
      next.replaceChildren(...nextOf(context, picture));
    },
  };
}
