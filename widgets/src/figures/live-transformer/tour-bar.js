/** The tour on a phone, once its card is scrolled away: a slim bar, which can show the card's text. */
import { element, put, putText } from "../../lib/dom.js";

/**
 * @param {object} parts
 * @param {import("./words.js").Words} parts.words
 * @param {HTMLElement} parts.title of the card: the bar stands in for it once it is out of sight
 * @param {HTMLButtonElement} parts.show of the card; the bar has it where a second part is left to do
 * @param {HTMLButtonElement} parts.back of the card
 * @param {HTMLButtonElement} parts.next of the card
 * @param {AbortSignal} parts.signal
 */
export function createBar({ words, title: ofCard, show, back, next, signal }) {
  const title = element("p", { class: "cb-heading" });
  const now = element("p", { class: "cb-tour-now" });
  const text = element("div", { class: "cb-tour-text" });
  const buttons = [show, back, next].map((of) => {
    const button = element("button", { type: "button" });
    button.addEventListener("click", () => of.click(), { signal });
    return { of, button };
  });
  const more = element("button", { type: "button" }, words.tour_text);
  const inner = element(
    "div",
    { class: "cb-tour-slim" },
    title,
    now,
    text,
    element("div", { class: "cb-tour-buttons" }, ...buttons.map(({ button }) => button), more),
  );
  // it takes no room of its own: what it covers does not move when it comes and goes
  const node = element("section", { class: "cb-tour-bar", "aria-label": words.tour_bar }, inner);
  let past = false;
  let step = 0;
  let shown = "";

  /** @param {boolean} open */
  function expand(open) {
    text.hidden = !open;
    now.hidden = open;
    put(more, "aria-expanded", String(open));
    putText(more, open ? words.tour_less : words.tour_text);
  }
  more.addEventListener("click", () => expand(text.hidden), { signal });
  expand(false);

  function appear() {
    node.hidden = !past || step === 0;
  }
  appear();
  if ("IntersectionObserver" in window) {
    const watch = new IntersectionObserver(
      ([entry]) => {
        past = !entry.isIntersecting && entry.boundingClientRect.bottom < (entry.rootBounds?.bottom ?? 0) / 2;
        appear();
      },
      { rootMargin: "-56px 0px 0px" }, // the page's own bar
    );
    watch.observe(ofCard);
    signal.addEventListener("abort", () => watch.disconnect());
  }

  return {
    node,
    /** @param {HTMLElement[]} parts of the card: its title, what it says, and the translation now @param {number} at the step */
    update([heading, ...said], at) {
      if (at !== step) expand(false);
      step = at;
      appear();
      if (!step) return;
      const line = said[said.length - 1];
      putText(title, heading.textContent ?? "");
      const key = said.map((part) => part.textContent).join("\n");
      if (key !== shown) {
        now.replaceChildren(...line.cloneNode(true).childNodes);
        text.replaceChildren(...said.map((part) => part.cloneNode(true)));
      }
      shown = key;
      for (const { of, button } of buttons) {
        putText(button, of.textContent ?? "");
        button.hidden = of === show && of.textContent !== words.tour_other;
        put(button, "aria-disabled", of.getAttribute("aria-disabled") ?? "false");
      }
    },
  };
}
