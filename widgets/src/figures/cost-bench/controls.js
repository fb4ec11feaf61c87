/** Sizes to begin from, what is counted, and a slider with a number to type for each size. */
import { MEASURES } from "../../lib/costs.js";
import { element, put, putText, putValue, uniqueId } from "../../lib/dom.js";
import { parse } from "../../lib/numbers.js";
import { slider } from "../../lib/slider.js";
import { fill } from "../../lib/words.js";
import { PRESETS, RANGES, changed, nearest, stands, stopsOf } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */
/** @typedef {import("./state.js").Size} Size */
/** @typedef {import("./state.js").State} State */

/** Which of the four counts the chart shows. @param {Context} context */
export function createMeasures({ words, commit, signal }) {
  const name = uniqueId("measure");
  const choices = MEASURES.map((measure) => {
    const input = element("input", { type: "radio", name });
    input.addEventListener("change", () => commit({ measure }), { signal });
    return { measure, input, node: element("label", {}, input, words[measure]) };
  });
  const about = element("p", { class: "cb-about" });
  return {
    node: element(
      "fieldset",
      { class: "cb-measures" },
      element("legend", { class: "cb-hidden" }, words.measures),
      element("div", { class: "cb-choices" }, ...choices.map(({ node }) => node)),
      about,
    ),
    /** @param {Picture} picture */
    update({ state }) {
      for (const { measure, input } of choices) input.checked = measure === state.measure;
      putText(about, words.about[state.measure]);
    },
  };
}

/** @param {Context} context @param {State} example the author's */
export function createControls(context, example) {
  const { words, commit, signal } = context;
  const complaint = element("p", { class: "cb-complaint", role: "status" });
  let now = example;

  const names = /** @type {(keyof typeof PRESETS)[]} */ (Object.keys(PRESETS));
  const presets = names.map((name) => button(words[name], PRESETS[name]));
  const reset = button(words.reset, example);
  const rows = /** @type {Size[]} */ (Object.keys(RANGES)).map(createRow);
  const switches = /** @type {const} */ (["projections", "fused", "dilated"]).map((name) => {
    const input = element("input", { type: "checkbox" });
    input.addEventListener("change", () => commit({ [name]: input.checked }), { signal });
    return { name, input, node: element("label", { class: "cb-switch" }, input, words[name]) };
  });

  /** @param {string} label @param {Partial<State>} patch */
  function button(label, patch) {
    const node = element("button", { type: "button" }, label);
    const press = () => {
      clear();
      commit({ ...patch });
    };
    node.addEventListener("click", press, { signal });
    return node;
  }

  function clear() {
    putText(complaint, "");
    for (const row of rows) row.accept();
  }

  /** A slider, and a field for the same number. @param {Size} name */
  function createRow(name) {
    const [lowest, highest] = RANGES[name];
    const label = words[name];
    /** @param {number} value */
    const choose = (value) => {
      clear();
      commit(changed(now, name, value));
    };
    const track = slider({
      label,
      min: 0,
      max: stopsOf(name, now).length - 1,
      step: 1,
      format: () => "",
      onInput: (stop) => choose(stopsOf(name, now)[stop]),
      signal,
    });
    const field = element("input", {
      type: "text",
      inputmode: "numeric",
      autocomplete: "off",
      "aria-label": fill(words.typed, { name: label }),
    });
    field.addEventListener(
      "change",
      () => {
        const value = parse(field.value, highest);
        const whole = value !== null && Number.isInteger(value) && value >= lowest;
        if (whole && (name !== "heads" || now.width % value === 0)) {
          choose(value);
          field.value = String(value);
          return;
        }
        put(field, "aria-invalid", "true");
        const limits = { name: label, lowest, highest: highest.toLocaleString("en") };
        const word = whole
          ? fill(words.no_share, { heads: value, width: now.width })
          : fill(words.not_a_size, limits);
        putText(complaint, word);
      },
      { signal },
    );
    return {
      node: element("div", { class: `cb-row cb-${name}` }, track.node, field),
      accept() {
        if (!field.getAttribute("aria-invalid")) return;
        field.removeAttribute("aria-invalid");
        field.value = String(now[name]);
      },
      /** @param {State} state */
      update(state) {
        const stops = stopsOf(name, state);
        put(track.input, "max", stops.length - 1);
        track.update(nearest(stops, state[name]));
        put(track.input, "aria-valuetext", state[name].toLocaleString("en"));
        if (!field.getAttribute("aria-invalid")) putValue(field, String(state[name]));
      },
    };
  }

  return {
    buttons: element(
      "div",
      { class: "cb-buttons", role: "group", "aria-label": words.models },
      ...presets,
      reset,
    ),
    node: element(
      "div",
      { class: "cb-controls" },
      ...rows.map(({ node }) => node),
      ...switches.map(({ node }) => node),
      complaint,
    ),
    /** @param {Picture} picture */
    update({ state }) {
      now = state;
      presets.forEach((node, i) =>
        put(node, "aria-pressed", String(stands(state, PRESETS[names[i]]))),
      );
      for (const row of rows) row.update(state);
      for (const { name, input } of switches) input.checked = state[name];
    },
  };
}
