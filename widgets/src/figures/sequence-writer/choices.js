/** A row of words of which one is chosen: by pointer, or with the arrow keys. */
import { element, put, putText } from "../../lib/dom.js";

/**
 * @typedef {object} Choice
 * @property {string} text
 * @property {string} name what a screen reader says
 * @property {string} lang
 * @property {string} [class]
 */

/**
 * @param {object} options
 * @param {string} options.label
 * @param {string} options.class of the row
 * @param {(index: number) => void} options.onChoose
 * @param {AbortSignal} options.signal
 */
export function createChoices({ label, class: name, onChoose, signal }) {
  const node = element("div", { class: `cb-words ${name}`, role: "radiogroup", "aria-label": label });
  /** @type {HTMLButtonElement[]} */
  let buttons = [];
  let chosen = 0;

  node.addEventListener(
    "keydown",
    (event) => {
      const last = buttons.length - 1;
      const targets = /** @type {Record<string, number>} */ ({
        ArrowLeft: Math.max(chosen - 1, 0),
        ArrowUp: Math.max(chosen - 1, 0),
        ArrowRight: Math.min(chosen + 1, last),
        ArrowDown: Math.min(chosen + 1, last),
        Home: 0,
        End: last,
      });
      const target = targets[event.key];
      if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      onChoose(target);
      buttons[chosen].focus();
    },
    { signal },
  );
  // one listener for all, since the words change with every sentence
  node.addEventListener(
    "click",
    (event) => {
      const found = /** @type {Element} */ (event.target).closest("button");
      const index = buttons.findIndex((button) => button === found);
      if (index >= 0) onChoose(index);
    },
    { signal },
  );

  return {
    node,
    /** @param {Choice[]} choices @param {number} index the chosen one */
    update(choices, index) {
      chosen = index;
      while (buttons.length < choices.length) {
        const button = element("button", { type: "button", role: "radio" });
        buttons.push(button);
        node.append(button);
      }
      while (buttons.length > choices.length) buttons.pop()?.remove();
      buttons.forEach((button, i) => {
        const choice = choices[i];
        putText(button, choice.text);
        put(button, "lang", choice.lang);
        put(button, "aria-label", choice.name);
        put(button, "aria-checked", String(i === chosen));
        put(button, "tabindex", i === chosen ? 0 : -1);
        put(button, "class", choice.class ?? "");
      });
    },
  };
}
