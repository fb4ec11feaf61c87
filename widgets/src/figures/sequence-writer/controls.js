/** A sentence of a given length, the beam's width, and the way back. */
import { element } from "../../lib/dom.js";
import { slider } from "../../lib/slider.js";
import { wordsIn } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./state.js").State} State */

/** @param {Context} context */
export function createControls({ given, words, actions, signal }) {
  const lengths = given.samples.map((sample) => sample.words);
  const length = slider({
    label: words.length,
    min: Math.min(...lengths),
    max: Math.max(...lengths),
    step: 1,
    format: String,
    onInput: actions.takeLength,
    signal,
  });
  const width = slider({
    label: words.width,
    min: 1,
    max: 5,
    step: 1,
    format: String,
    onInput: actions.setWidth,
    marks: [[1, words.greedy]],
    signal,
  });
  const another = button(words.another, actions.another);
  const reset = button(words.reset, actions.reset);

  /** @param {string} label @param {() => void} press */
  function button(label, press) {
    const node = element("button", { type: "button" }, label);
    node.addEventListener("click", press, { signal });
    return node;
  }

  return {
    node: element(
      "div",
      { class: "cb-controls" },
      length.node,
      width.node,
      element("div", { class: "cb-buttons" }, another, reset),
    ),
    /** @param {State} state */
    update(state) {
      length.update(wordsIn(state.sentence));
      width.update(state.width);
    },
  };
}
