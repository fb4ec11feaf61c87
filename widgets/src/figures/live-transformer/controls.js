/** The switches of the model, and the way back. */
import { element } from "../../lib/dom.js";
import { format } from "../../lib/numbers.js";
import { slider } from "../../lib/slider.js";
import { fill } from "../../lib/words.js";
import { hashOf } from "./link.js";
import { TEMPERATURES, UNTOUCHED, WIDE, isUntouched } from "./state.js";

/** @typedef {import("./index.js").Context} Context */

/** @param {Context} context */
export function createControls({ words, engine, actions, signal }) {
  const [min, max] = TEMPERATURES;
  const temperature = slider({
    label: words.temperature,
    min,
    max,
    step: 0.05,
    format: (x) => format(x),
    onInput: (value) => actions.set({ temperature: value }),
    marks: [[UNTOUCHED.temperature, "1"]],
    signal,
  });
  // a model that was made without positions has none to switch off
  const names = /** @type {const} */ (["scale", "positions", "residuals"]);
  const boxes = names.filter((name) => name !== "positions" || engine.config.positions).map((name) => {
    const input = element("input", { type: "checkbox" });
    input.addEventListener("change", () => actions.set({ [name]: input.checked }), { signal });
    return { name, input, node: element("label", { class: "cb-toggle" }, input, words[name]) };
  });
  const beam = element("input", { type: "checkbox" });
  beam.addEventListener("change", () => actions.set({ width: beam.checked ? WIDE : 1 }), { signal });
  const restore = element("button", { type: "button" }, words.restore);
  restore.addEventListener("click", actions.restore, { signal });
  const reset = element("button", { type: "button" }, words.reset);
  reset.addEventListener("click", actions.reset, { signal });
  const link = element("button", { type: "button" }, words.copy_link);
  const copied = element("span", { class: "cb-note", role: "status" });
  /** What a link to this would be. */
  let shown = "";
  link.addEventListener("click", async () => (copied.textContent = await actions.copyLink()), { signal });

  return {
    node: element(
      "div",
      { class: "cb-controls", role: "group", "aria-label": words.settings },
      temperature.node,
      element(
        "div",
        { class: "cb-switches" },
        ...boxes.map(({ node }) => node),
        element("label", { class: "cb-toggle" }, beam, fill(words.beam, { width: WIDE })),
      ),
      element("div", { class: "cb-ways-back" }, restore, reset, link, copied),
    ),
    /** @param {import("./picture.js").Picture} picture */
    update({ state, view }) {
      const now = hashOf(state, view);
      if (now !== shown) copied.textContent = ""; // what was copied is another
      shown = now;
      temperature.update(state.temperature);
      for (const { name, input } of boxes) input.checked = state[name];
      beam.checked = state.width > 1;
      restore.setAttribute("aria-disabled", String(isUntouched(state)));
    },
  };
}
