/** Settings to begin from, the step, and a slider with a number to type for each row. */
import { element, put, putText, putValue, uniqueId } from "../../lib/dom.js";
import { format, parse, short } from "../../lib/numbers.js";
import { slider } from "../../lib/slider.js";
import { fill } from "../../lib/words.js";
import { GATES, changed, lowest, rowsOf, sameRows } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */
/** @typedef {import("./state.js").Preset} Preset */
/** @typedef {import("./state.js").RowName} RowName */
/** @typedef {import("./state.js").State} State */

/**
 * @param {Context} context
 * @param {object} options
 * @param {Preset[]} options.presets
 * @param {State} options.example the author's
 */
export function createControls(context, { presets, example }) {
  const { words, commit, signal } = context;
  const complaint = element("p", { class: "cb-complaint", role: "status" });
  /** @type {State} */
  let now = example;

  const settings = presets.map((preset) =>
    button(preset.label, () => {
      clear();
      commit({ ...rowsOf(preset), step: Math.min(now.step, preset.candidate.length) });
    }),
  );
  const reset = button(words.reset, () => {
    clear();
    commit(structuredClone(example));
  });

  const step = slider({
    label: words.step,
    min: 1,
    max: example.candidate.length,
    step: 1,
    format: (value) => fill(words.step_of, { step: value, steps: now.candidate.length }),
    onInput: (value) => commit({ step: value }),
    signal,
  });
  const scope = createScope(context);
  const candidate = createRow("candidate");
  const gates = GATES.map(createRow);

  /** @param {string} label @param {() => void} press */
  function button(label, press) {
    const node = element("button", { type: "button" }, label);
    node.addEventListener("click", press, { signal });
    return node;
  }

  function clear() {
    putText(complaint, "");
    for (const row of [candidate, ...gates]) row.accept();
  }

  /** A slider, and a field for the same number. @param {RowName} name */
  function createRow(name) {
    const [low, high] = [lowest(name), 1];
    const label = words[name];
    /** @param {number} value */
    const choose = (value) => {
      clear();
      commit({ [name]: changed(now, name, value) });
    };
    const track = slider({
      label,
      min: low,
      max: high,
      step: 0.01,
      format: () => "",
      onInput: choose,
      signal,
    });
    const field = element("input", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      "aria-label": fill(words.typed, { name: label }),
    });
    field.addEventListener(
      "change",
      () => {
        const value = parse(field.value, high);
        if (value !== null && value >= low) {
          choose(value);
          field.value = short(value);
          return;
        }
        put(field, "aria-invalid", "true");
        const range = { lowest: short(low), highest: high };
        putText(complaint, fill(words.not_a_number, { name: label, ...range }));
      },
      { signal },
    );
    return {
      node: element("div", { class: `cb-row cb-${name}` }, track.node, field),
      accept() {
        if (field.getAttribute("aria-invalid")) {
          field.removeAttribute("aria-invalid");
          field.value = short(now[name][now.step - 1]);
        }
      },
      /** @param {State} state */
      update(state) {
        const value = state[name][state.step - 1];
        track.update(value);
        put(track.input, "aria-valuetext", format(value));
        if (!field.getAttribute("aria-invalid")) putValue(field, short(value));
      },
    };
  }

  return {
    node: element(
      "div",
      { class: "cb-controls" },
      element(
        "div",
        { class: "cb-buttons", role: "group", "aria-label": words.settings },
        ...settings,
        reset,
      ),
      step.node,
      candidate.node,
      scope.node,
      ...gates.map((row) => row.node),
      complaint,
    ),
    /** @param {Picture} picture */
    update({ state }) {
      now = state;
      settings.forEach((node, i) => put(node, "aria-pressed", String(sameRows(state, presets[i]))));
      put(step.input, "max", state.candidate.length);
      step.update(state.step);
      scope.update(state);
      for (const row of [candidate, ...gates]) row.update(state);
    },
  };
}

/** Whether a gate's slider sets all steps or one. @param {Context} context */
function createScope({ words, commit, signal }) {
  const name = uniqueId("scope");
  const choices = [true, false].map((every) => {
    const input = element("input", { type: "radio", name });
    const text = element("span", {}, every ? words.all_steps : "");
    input.addEventListener("change", () => commit({ every }), { signal });
    return { every, input, text, node: element("label", {}, input, text) };
  });
  return {
    node: element(
      "fieldset",
      { class: "cb-scope" },
      element("legend", {}, words.sliders_set),
      ...choices.map(({ node }) => node),
    ),
    /** @param {State} state */
    update({ every, step }) {
      for (const choice of choices) choice.input.checked = choice.every === every;
      putText(choices[1].text, fill(words.one_step, { step }));
    },
  };
}
