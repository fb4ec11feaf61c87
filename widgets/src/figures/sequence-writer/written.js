/** The words that were written, of which one is chosen, and what else stood to choice there. */
import { element, put, putText } from "../../lib/dom.js";
import { compose } from "../../lib/phrase.js";
import { glossed, percent, verdictOf } from "./sentences.js";
import { END } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** @param {Context} context */
export function createWritten(context) {
  const { words, actions, signal } = context;
  const row = element("div", { class: "cb-words", role: "radiogroup", "aria-label": words.written });
  const verdict = element("p", { class: "cb-verdict" });
  const wanted = element("p", { class: "cb-wanted" });
  const heading = element("p", { class: "cb-heading" });
  const choices = element("div", { class: "cb-choices" });
  const back = button(words.back, () => actions.goTo(shown - 1));
  const next = button(words.next, () => actions.goTo(shown + 1));
  /** @type {HTMLButtonElement[]} */
  let buttons = [];
  let shown = 0;

  /** @param {string} label @param {() => void} press */
  function button(label, press) {
    const node = element("button", { type: "button" }, label);
    node.addEventListener("click", press, { signal });
    return node;
  }

  row.addEventListener(
    "keydown",
    (event) => {
      const targets = /** @type {Record<string, number>} */ ({
        ArrowLeft: shown - 1,
        ArrowUp: shown - 1,
        ArrowRight: shown + 1,
        ArrowDown: shown + 1,
        Home: 0,
        End: buttons.length - 1,
      });
      const target = targets[event.key];
      if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      actions.goTo(target);
      buttons[shown].focus();
    },
    { signal },
  );
  // one listener for all, since the words change with every sentence
  row.addEventListener(
    "click",
    (event) => {
      const found = /** @type {Element} */ (event.target).closest("button");
      const index = buttons.findIndex((node) => node === found);
      if (index >= 0) actions.goTo(index);
    },
    { signal },
  );

  return {
    node: element(
      "div",
      { class: "cb-writing-out" },
      row,
      verdict,
      wanted,
      element("div", { class: "cb-buttons" }, back, next),
      heading,
      choices,
    ),
    /** @param {Picture} picture */
    update(picture) {
      const { translation, step } = picture;
      const { steps, wrongFrom } = translation;
      shown = step;
      while (buttons.length < steps.length) {
        const node = element("button", { type: "button", role: "radio", class: "cb-written-word" });
        buttons.push(node);
        row.append(node);
      }
      while (buttons.length > steps.length) buttons.pop()?.remove();
      buttons.forEach((node, i) => {
        putText(node, steps[i].token);
        put(node, "lang", steps[i].token === END ? "en" : "ja");
        put(node, "aria-label", glossed(context, steps[i].token));
        put(node, "aria-checked", String(i === step));
        put(node, "tabindex", i === step ? 0 : -1);
        node.classList.toggle("cb-wrong", wrongFrom >= 0 && i >= wrongFrom);
      });
      putText(verdict, verdictOf(context, picture));
      put(verdict, "data-right", String(Boolean(translation.wanted) && wrongFrom < 0));
      wanted.replaceChildren(...wantedOf(picture));
      back.setAttribute("aria-disabled", String(step === 0));
      next.setAttribute("aria-disabled", String(step === steps.length - 1));
      const token = element("span", { lang: "ja" }, glossed(context, steps[step].token));
      heading.replaceChildren(
        ...compose(words.choices, { step: String(step + 1), steps: String(steps.length), token }),
      );
      choices.replaceChildren(...steps[step].likeliest.map((one) => rowOf(one, steps[step].token)));
    },
  };

  /** @param {Picture} picture @returns {(string | Node)[]} */
  function wantedOf({ translation: { wanted, wrongFrom } }) {
    if (!wanted || wrongFrom < 0) return [];
    return compose(words.wanted, { text: element("span", { lang: "ja" }, wanted.join(" ")) });
  }

  /** @param {{ token: string, share: number }} one @param {string} written */
  function rowOf({ token, share }, written) {
    const bar = element("span", { class: "cb-share-bar" });
    bar.style.width = `${(100 * share).toFixed(2)}%`;
    return element(
      "div",
      { class: token === written ? "cb-row cb-taken" : "cb-row" },
      element("span", { class: "cb-word", lang: token === END ? "en" : "ja" }, glossed(context, token)),
      element("span", { class: "cb-track", "aria-hidden": "true" }, bar),
      element("span", { class: "cb-share" }, percent(share)),
    );
  }
}
