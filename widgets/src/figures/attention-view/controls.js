/** Temperature, the mask that hides the future, and the way back. */
import { element } from "../../lib/dom.js";
import { format } from "../../lib/numbers.js";
import { slider } from "../../lib/slider.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** @param {Context} context */
export function createControls({ given, words, actions, signal }) {
  // a control that could do nothing is not there: weights alone have no temperature, and of
  // another sequence nothing is the future
  const temperature = given.weights
    ? null
    : slider({
        label: words.temperature,
        min: 0,
        max: 4,
        step: 0.05,
        format: (x) => (x === 0 ? words.hard : format(x)),
        onInput: actions.setTemperature,
        marks: [
          [0, words.hard_mark],
          [1, "1"],
        ],
        signal,
      });
  const causal = given.cross ? null : element("input", { type: "checkbox" });
  causal?.addEventListener("change", () => actions.setCausal(causal.checked), { signal });
  const reset = element("button", { type: "button" }, words.reset);
  reset.addEventListener("click", actions.reset, { signal });

  return {
    node: element(
      "div",
      { class: "cb-controls" },
      ...(temperature ? [temperature.node] : []),
      ...(causal ? [element("label", { class: "cb-toggle" }, causal, words.hide_future)] : []),
      reset,
    ),
    /** @param {Picture} picture */
    update({ state }) {
      temperature?.update(state.temperature);
      if (causal) causal.checked = state.causal;
    },
  };
}
