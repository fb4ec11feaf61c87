/** The tokens that ask, of which the reader chooses one, and those that answer. */
import { element, put, putText } from "../../lib/dom.js";
import { isJapanese } from "../../lib/japanese.js";
import { row } from "../../lib/tensor.js";
import { share } from "./sentences.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */
/** @typedef {import("./state.js").Token} Token */

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
    const weight = element("span", { class: "cb-heat cb-weight" });
    const node = element(
      "li",
      { class: "cb-key" },
      element("span", { class: "cb-token" }, ...labelOf(token)),
      weight,
    );
    actions.marks(node, given.cross ? null : j, j);
    return { node, weight };
  });
  const asking = element("span", { class: "cb-asking", "aria-hidden": "true" });

  return {
    node: element(
      "div",
      { class: "cb-answers" },
      asking,
      element("ul", { class: "cb-keys", "aria-label": words.keys }, ...items.map((item) => item.node)),
    ),
    /** @param {Picture} picture */
    update({ state, weights, marked }) {
      putToken(asking, given.queries[state.focus].text);
      row(weights, state.focus).forEach((weight, j) => {
        const item = items[j];
        heat(item.weight, weight, false);
        putText(item.weight, share(weight));
        item.node.classList.toggle("cb-marked", marked.key === j);
      });
    },
  };
}

/**
 * Colour an element by a weight.
 * @param {HTMLElement} node
 * @param {number} weight
 * @param {boolean} masked
 */
export function heat(node, weight, masked) {
  const value = masked ? "masked" : weight.toFixed(3);
  if (node.dataset.weight === value) return;
  node.dataset.weight = value;
  // a bent scale: among many tokens, weights of a few hundredths must be told from nothing
  const depth = weight ** 0.6;
  node.style.setProperty("--depth", `${(depth * 100).toFixed(1)}%`);
  // where black or white letters stand out, on the ground of a light and of a dark page
  node.classList.toggle("cb-mid", depth > 0.49);
  node.classList.toggle("cb-deep", depth > 0.72);
  node.classList.toggle("cb-none", weight < 0.005);
  node.classList.toggle("cb-masked", masked);
}

/**
 * @param {HTMLElement} node
 * @param {string} text
 */
export function putToken(node, text) {
  if (node.dataset.token === text) return;
  node.dataset.token = text;
  node.replaceChildren(...wordOf(text));
}

/** @param {string} text of a token */
export function wordOf(text) {
  // a subword may be nothing but a space
  const shown = text.trim() ? text : text.replace(/\s/g, "␣");
  return [element("span", { lang: isJapanese(text) ? "ja" : undefined }, shown)];
}

/** @param {Token} token */
function labelOf({ text, reading, gloss }) {
  const notes = [
    ["cb-reading", reading],
    ["cb-gloss", gloss],
  ].filter(([, note]) => note);
  const word = element("span", { class: "cb-word" }, ...wordOf(text));
  // the spaces part the words for a screen reader
  return [word, ...notes.flatMap(([name, note]) => [" ", element("span", { class: name }, note)])];
}
