/** Temperature and scale. */
import { element } from "../../lib/dom.js";
import { format } from "../../lib/numbers.js";
import { slider } from "../../lib/slider.js";
import { PLANE_SCALE } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** @param {Context} context */
export function createSliders({ words, actions, signal }) {
  const temperature = slider({
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
  const scale = slider({
    label: words.scale,
    min: 0,
    max: 2,
    step: 0.01,
    format: (x) => (Math.abs(x - PLANE_SCALE) < 1e-9 ? words.plane_scale : format(x)),
    onInput: actions.setScale,
    marks: [[PLANE_SCALE, words.scale_mark]],
    signal,
  });
  return {
    node: element("div", { class: "cb-sliders" }, temperature.node, scale.node),
    /** @param {Picture} picture */
    update({ state }) {
      temperature.update(state.temperature);
      scale.update(state.scale);
    },
  };
}
