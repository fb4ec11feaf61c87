/** Which network translates, how sharply it looks, and the way back. */
import { element } from "../../lib/dom.js";
import { format } from "../../lib/numbers.js";
import { slider } from "../../lib/slider.js";
import { radios } from "../influence-view/radios.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./state.js").State} State */

/** @param {Context} context */
export function createControls({ given, words, actions, signal }) {
  /** @type {Record<string, string>} */
  const kinds = words.kind;
  const group = radios({
    label: words.kinds,
    name: "cb-kinds",
    contents: given.kinds.map((kind) => [kinds[kind]]),
    choose: (index) => actions.translateBy(given.names[index]),
    signal,
  });
  const temperature = slider({
    label: words.temperature,
    min: 0.1,
    max: 4,
    step: 0.05,
    format: (x) => format(x),
    onInput: actions.setTemperature,
    marks: [
      [0.1, words.sharp],
      [1, "1"],
    ],
    signal,
  });
  const reset = element("button", { type: "button" }, words.reset);
  reset.addEventListener("click", actions.reset, { signal });
  return {
    node: element("div", { class: "cb-controls" }, group.node, temperature.node, reset),
    /** @param {{ state: State }} picture */
    update({ state }) {
      group.update(given.names.indexOf(state.chosen));
      temperature.update(state.temperature);
    },
  };
}
