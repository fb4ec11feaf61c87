/** A slider for each setting, and Reset. */
import { element } from "../../lib/dom.js";
import { slider } from "../../lib/slider.js";
import { whole } from "./sentences.js";
import { MOST_PLACE, MOST_SHIFT } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */
/** @typedef {import("./state.js").State} State */

/**
 * @param {Context} context
 * @param {State} example the author's settings
 */
export function createControls({ words, commit, signal }, example) {
  let { base } = example;
  /** @param {"place" | "shift" | "width"} name @param {number} min @param {number} max @param {number} step */
  const plain = (name, min, max, step) => ({
    name,
    ...slider({
      label: words[name],
      min,
      max,
      step,
      format: String,
      onInput: (value) => commit({ [name]: value }),
      signal,
    }),
  });
  const sliders = [
    plain("place", 0, MOST_PLACE, 1),
    plain("shift", 0, MOST_SHIFT, 1),
    plain("width", 4, 64, 2),
  ];
  // by its power of ten, and rounded, so that the first step is 2
  const power = slider({
    label: words.base,
    min: 0.25,
    max: 5,
    step: 0.25,
    format: () => whole(base),
    onInput: (value) => commit({ base: Math.round(10 ** value) }),
    signal,
  });
  const reset = element("button", { type: "button" }, words.reset);
  reset.addEventListener("click", () => commit({ ...example }), { signal });
  return {
    node: element(
      "div",
      { class: "cb-controls" },
      ...sliders.map(({ node }) => node),
      power.node,
      reset,
    ),
    /** @param {Picture} picture */
    update({ state }) {
      base = state.base;
      for (const { name, update } of sliders) update(state[name]);
      power.update(Math.log10(base));
    },
  };
}
