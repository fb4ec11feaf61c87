/** The tokens that ask, of which the reader chooses one, and those that answer. */
import { element, put } from "../../lib/dom.js";
import { row } from "../../lib/tensor.js";
import { createHeat, fineShare } from "./heat.js";
import { labelOf, wordOf } from "./label.js";
import { maskOf } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** The tokens that ask: a group of radio buttons. @param {Context} context */
export function createQueries({ given, words, actions, signal }) {
  const buttons = given.queries.map((token, i) => {
    const button = element(
      "button",
      { type: "button", role: "radio", class: "cb-token" },
      ...labelOf(token),
    );
    button.addEventListener("click", () => actions.choose(i), { signal });
    button.addEventListener("keydown", (event) => onKey(event, i), { signal });
    // in self-attention a token asks and answers: it is marked in both roles
    actions.marks(button, i, given.cross ? null : i);
    return button;
  });

  /** @param {KeyboardEvent} event @param {number} i */
  function onKey(event, i) {
    const last = buttons.length - 1;
    /** @type {Record<string, number | undefined>} */
    const targets = {
      ArrowLeft: i - 1,
      ArrowUp: i - 1,
      ArrowRight: i + 1,
      ArrowDown: i + 1,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (target + buttons.length) % buttons.length;
    actions.choose(next);
    buttons[next].focus();
  }

  return {
    node: element(
      "div",
      { class: "cb-queries", role: "radiogroup", "aria-label": words.queries },
      ...buttons,
    ),
    /** @param {Picture} picture */
    update({ state, marked }) {
      buttons.forEach((button, i) => {
        const chosen = i === state.focus;
        put(button, "aria-checked", String(chosen));
        put(button, "tabindex", chosen ? 0 : -1);
        const asKey = !given.cross && marked.key === i;
        button.classList.toggle("cb-marked", marked.query === i || asKey);
      });
    },
  };
}

/** The tokens that answer, each with its weight for the chosen query. @param {Context} context */
export function createKeys({ given, words, actions }) {
  const items = given.keys.map((token, j) => {
    const cell = element("span", { class: "cb-heat cb-weight" });
    const node = element(
      "li",
      { class: "cb-key" },
      element("span", { class: "cb-token" }, ...labelOf(token)),
      cell,
    );
    actions.marks(node, given.cross ? null : j, j);
    return { node, heat: createHeat(cell, cell, fineShare) };
  });
  const asking = element("span", { class: "cb-asking", "aria-hidden": "true" });
  /** @type {number | null} */
  let asks = null;

  return {
    node: element(
      "div",
      { class: "cb-answers" },
      asking,
      element("ul", { class: "cb-keys", "aria-label": words.keys }, ...items.map((item) => item.node)),
    ),
    /** @param {Picture} picture */
    update({ state, weights, marked }) {
      if (asks !== state.focus) asking.replaceChildren(wordOf(given.queries[state.focus].text));
      asks = state.focus;
      const mask = maskOf(state, given)?.[state.focus];
      row(weights, state.focus).forEach((weight, j) => {
        const { node, heat } = items[j];
        heat(weight, mask !== undefined && !mask[j]);
        node.classList.toggle("cb-marked", marked.key === j);
      });
    },
  };
}
