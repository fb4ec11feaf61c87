import { element, put, putText, uniqueId } from "./dom.js";

/**
 * A labelled slider whose number stands beside its name.
 *
 * @param {object} options
 * @param {string} options.label
 * @param {number} options.min
 * @param {number} options.max
 * @param {number} options.step
 * @param {(value: number) => string} options.format what the number beside the label says
 * @param {(value: number) => void} options.onInput
 * @param {[number, string][]} [options.marks] positions that are named below the track. A mark that
 *   lies between two steps is given exactly when the nearer step is chosen.
 * @param {AbortSignal} options.signal
 */
export function slider({ label, min, max, step, format, onInput, marks = [], signal }) {
  const id = uniqueId("slider");
  const input = element("input", { type: "range", id, min, max, step, class: "cb-range" });
  const output = element("output", { for: id, class: "cb-output" });
  const scale = element("div", { class: "cb-marks", "aria-hidden": "true" });
  const node = element(
    "div",
    { class: "cb-slider" },
    element("div", { class: "cb-slider-head" }, element("label", { for: id }, label), output),
    input,
    scale,
  );

  function placeMarks() {
    scale.replaceChildren(
      ...marks.map(([at, name]) => {
        const share = (at - min) / (Number(input.max) - min);
        const place = share === 0 ? "cb-start" : "";
        return element("span", { class: place, style: `--at:${share.toFixed(4)}` }, name);
      }),
    );
  }
  placeMarks();

  input.addEventListener(
    "input",
    () => {
      const chosen = Number(input.value);
      const mark = marks.find(([at]) => Math.abs(at - chosen) < step / 2);
      onInput(mark ? mark[0] : chosen);
    },
    { signal },
  );

  return {
    node,
    input,
    /** @param {number} value */
    update(value) {
      if (value > Number(input.max)) {
        // Python may ask for more than the slider was made for
        input.max = String(value);
        placeMarks();
      }
      if (Number(input.value) !== value) input.value = String(value);
      const text = format(value);
      putText(output, text);
      put(input, "aria-valuetext", text);
    },
  };
}
