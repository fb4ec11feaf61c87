/** A row of buttons of which one is chosen: one stop of the tab key, arrow keys inside. */
import { element, put } from "../../lib/dom.js";

/**
 * @param {object} options
 * @param {string} options.label of the group
 * @param {string} options.name the group's class
 * @param {(string | Node)[][]} options.contents of each button
 * @param {(index: number) => void} options.choose
 * @param {AbortSignal} options.signal
 */
export function radios({ label, name, contents, choose, signal }) {
  const buttons = contents.map((content, i) => {
    const button = element("button", { type: "button", role: "radio" }, ...content);
    button.addEventListener("click", () => choose(i), { signal });
    button.addEventListener("keydown", (event) => onKey(event, i), { signal });
    return button;
  });

  /** @param {KeyboardEvent} event @param {number} i */
  function onKey(event, i) {
    /** @type {Record<string, number | undefined>} */
    const targets = {
      ArrowLeft: i - 1,
      ArrowUp: i - 1,
      ArrowRight: i + 1,
      ArrowDown: i + 1,
      Home: 0,
      End: buttons.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (target + buttons.length) % buttons.length;
    choose(next);
    buttons[next].focus();
  }

  return {
    node: element("div", { class: name, role: "radiogroup", "aria-label": label }, ...buttons),
    buttons,
    /** @param {number} chosen */
    update(chosen) {
      buttons.forEach((button, i) => {
        put(button, "aria-checked", String(i === chosen));
        put(button, "tabindex", i === chosen ? 0 : -1);
      });
    },
  };
}
