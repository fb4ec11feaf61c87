/** The sentence as columns: token, state, and how far the state has moved. */
import { element, put, putText } from "../../lib/dom.js";
import { format } from "../../lib/numbers.js";
import { svg } from "../../lib/svg.js";
import { fill } from "../../lib/words.js";
import { glossed, isEdited, movedOf } from "./sentences.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const CELL = 8; // pixels of a unit's height
const BARS = 56;

/** @param {Context} context */
export function createStrip(context) {
  const { words, network, actions, example, signal } = context;
  const steps = example.tokens.map((_, t) => createStep(t));
  const moved = element("p", { class: "cb-moved-by" });
  const row = element(
    "div",
    { class: "cb-steps", role: "radiogroup", "aria-label": words.steps },
    ...steps.map(({ node }) => node),
  );
  row.style.setProperty("--steps", String(steps.length));
  row.addEventListener("keydown", byKey, { signal });

  /** @param {number} t */
  function createStep(t) {
    const cells = Array.from({ length: network.units }, (_, unit) =>
      svg("rect", { x: 0, y: unit, width: 1, height: 1 }),
    );
    const heat = svg(
      "svg",
      {
        class: "cb-heat",
        viewBox: `0 0 1 ${network.units}`,
        preserveAspectRatio: "none",
        height: CELL * network.units,
        "aria-hidden": "true",
      },
      ...cells,
    );
    const number = element("span", { class: "cb-number", "aria-hidden": "true" }, String(t + 1));
    const token = element("span", { class: "cb-token", lang: "ja" });
    const old = element("del", { class: "cb-old", lang: "ja", "aria-hidden": "true" });
    const bar = element("span", { class: "cb-bar" });
    const node = element(
      "button",
      { type: "button", class: "cb-step", role: "radio" },
      number,
      element("span", { class: "cb-written" }, old, token),
      heat,
      element("span", { class: "cb-well", "aria-hidden": "true" }, bar),
    );
    node.addEventListener("click", () => actions.goTo(t), { signal });
    return { node, token, old, cells, bar };
  }

  /** @param {KeyboardEvent} event */
  function byKey(event) {
    const last = steps.length - 1;
    const now = steps.findIndex(({ node }) => node.getAttribute("aria-checked") === "true");
    const targets = /** @type {Record<string, number>} */ ({
      ArrowLeft: Math.max(0, now - 1),
      ArrowUp: Math.max(0, now - 1),
      ArrowRight: Math.min(last, now + 1),
      ArrowDown: Math.min(last, now + 1),
      Home: 0,
      End: last,
    });
    const target = targets[event.key];
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    actions.goTo(target);
    steps[target].node.focus();
  }

  return {
    node: element(
      "div",
      { class: "cb-strip" },
      row,
      element(
        "div",
        { class: "cb-scale", "aria-hidden": "true" },
        element("span", {}, fill(words.state, { units: network.units })),
        element("span", { class: "cb-key" }, words.negative),
        element("span", { class: "cb-ramp" }),
        element("span", { class: "cb-key" }, words.positive),
        element("span", { class: "cb-below" }, words.moved),
      ),
      moved,
    ),
    /** @param {Picture} picture */
    update(picture) {
      const { state, reading, moved: gaps, full } = picture;
      const edited = isEdited(picture);
      row.classList.toggle("cb-edited", edited);
      steps.forEach(({ node, token, old, cells, bar }, t) => {
        const chosen = t === state.step;
        const changed = state.tokens[t] !== example.tokens[t];
        putText(token, state.tokens[t]);
        putText(old, changed ? example.tokens[t] : "");
        node.classList.toggle("cb-changed", changed);
        put(node, "aria-checked", String(chosen));
        put(node, "tabindex", chosen ? 0 : -1);
        const said = { step: t + 1, token: glossed(context, state.tokens[t]), old: example.tokens[t] };
        put(node, "aria-label", fill(changed ? words.step_label_edited : words.step_label, said));
        cells.forEach((cell, unit) => {
          const value = reading.states[t][unit];
          put(cell, "class", value < 0 ? "cb-minus" : "cb-plus");
          put(cell, "fill-opacity", Math.abs(value).toFixed(3));
        });
        bar.style.height = `${edited ? ((BARS * gaps[t]) / full).toFixed(2) : 0}px`;
        put(bar, "title", format(gaps[t], 3));
      });
      putText(moved, movedOf(context, picture));
    },
  };
}
