/** Presets, the kind of weights, and the sliders. */
import { element, uniqueId } from "../../lib/dom.js";
import { format } from "../../lib/numbers.js";
import { slider } from "../../lib/slider.js";
import {
  MAX_INPUT,
  MAX_LENGTH,
  MAX_RADIUS,
  MIN_LENGTH,
  MIN_RADIUS,
  PRESETS,
  distanceOf,
  presetOf,
} from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** @param {Context} context */
export function createPresets({ words, actions, signal }) {
  const names = /** @type {("vanish" | "keep" | "explode")[]} */ (Object.keys(PRESETS));
  const buttons = names.map((name) => {
    const button = element("button", { type: "button", "aria-pressed": "false" }, words[name]);
    button.addEventListener("click", () => actions.change(PRESETS[name]), { signal });
    return button;
  });
  const reset = element("button", { type: "button", class: "cb-reset" }, words.reset);
  reset.addEventListener("click", actions.reset, { signal });
  return {
    node: element("div", { class: "cb-presets" }, ...buttons, reset),
    /** @param {Picture} picture */
    update({ state }) {
      const preset = presetOf(state);
      buttons.forEach((button, i) => {
        button.setAttribute("aria-pressed", String(names[i] === preset));
      });
    },
  };
}

/** @param {Context} context */
export function createControls({ words, actions, signal }) {
  const radius = slider({
    label: words.radius,
    min: MIN_RADIUS,
    max: MAX_RADIUS,
    step: 0.05,
    format: (x) => format(x),
    onInput: (value) => actions.change({ radius: value }),
    marks: [
      [1, "1"],
      [2, "2"],
    ],
    signal,
  });
  const inputSize = slider({
    label: words.input_size,
    min: 0,
    max: MAX_INPUT,
    step: 0.01,
    format: (x) => format(x),
    onInput: (value) => actions.change({ input_size: value }),
    marks: [
      [0, words.silent],
      [1, words.loud],
    ],
    signal,
  });
  const length = slider({
    label: words.length,
    min: MIN_LENGTH,
    max: MAX_LENGTH,
    step: 1,
    format: String,
    onInput: (value) => actions.change({ length: value }),
    signal,
  });
  const weights = createWeights({ words, actions, signal });
  return {
    node: element(
      "div",
      { class: "cb-controls" },
      radius.node,
      inputSize.node,
      length.node,
      weights.node,
    ),
    /** @param {Picture} picture */
    update(picture) {
      radius.update(picture.state.radius);
      inputSize.update(picture.state.input_size);
      length.update(picture.state.length);
      weights.update(picture);
    },
  };
}

/** Which distance is read off. @param {Context} context */
export function createDistance({ words, actions, signal }) {
  const distance = slider({
    label: words.distance,
    min: 0,
    max: MAX_LENGTH - 1,
    step: 1,
    format: String,
    onInput: actions.read,
    signal,
  });
  distance.node.classList.add("cb-distance");
  return {
    node: distance.node,
    /** @param {Picture} picture */
    update: ({ state }) => distance.update(distanceOf(state)),
  };
}

/** @param {Pick<Context, "words" | "actions" | "signal">} context */
function createWeights({ words, actions, signal }) {
  const group = uniqueId("bench-weights");
  const kinds = /** @type {const} */ (["random", "orthogonal"]);
  const inputs = kinds.map((kind) => element("input", { type: "radio", name: group, value: kind }));
  inputs.forEach((input, i) => {
    input.addEventListener("change", () => actions.change({ weights: kinds[i] }), { signal });
  });
  return {
    node: element(
      "fieldset",
      { class: "cb-weights" },
      element("legend", {}, words.weights),
      ...inputs.map((input, i) => element("label", {}, input, words[kinds[i]])),
    ),
    /** @param {Picture} picture */
    update({ state }) {
      inputs.forEach((input, i) => (input.checked = kinds[i] === state.weights));
    },
  };
}
