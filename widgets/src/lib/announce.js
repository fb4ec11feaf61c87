import { element } from "./dom.js";

/**
 * The figure in words, for those who do not see it. A screen reader says it when the figure has
 * come to rest, not at every step of a drag.
 *
 * @param {number} [rest] milliseconds without a change before the words follow
 */
export function announcer(rest = 600) {
  const node = element("p", { class: "cb-hidden", role: "status", "aria-live": "polite" });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return {
    node,
    /** @param {() => string} words made only when they are needed */
    say(words) {
      clearTimeout(timer);
      if (!node.textContent) node.textContent = words();
      else timer = setTimeout(() => (node.textContent = words()), rest);
    },
    stop() {
      clearTimeout(timer);
    },
  };
}
