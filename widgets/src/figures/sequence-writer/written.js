/** The words that were written, of which one is chosen, and what else stood to choice there. */
import { element, put, putText } from "../../lib/dom.js";
import { compose } from "../../lib/phrase.js";
import { createChoices } from "./choices.js";
import { glossed, percent, verdictOf } from "./sentences.js";
import { END } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** @param {Context} context */
export function createWritten(context) {
  const { words, actions, signal } = context;
  const row = createChoices({
    label: words.written,
    class: "cb-written",
    onChoose: actions.goTo,
    signal,
  });
  const verdict = element("p", { class: "cb-verdict" });
  const wanted = element("p", { class: "cb-wanted" });
  const heading = element("p", { class: "cb-heading" });
  const choices = element("div", { class: "cb-choices" });
  const back = button(words.back, () => actions.goTo(shown - 1));
  const next = button(words.next, () => actions.goTo(shown + 1));
  let shown = 0;

  /** @param {string} label @param {() => void} press */
  function button(label, press) {
    const node = element("button", { type: "button" }, label);
    node.addEventListener("click", press, { signal });
    return node;
  }

  return {
    node: element(
      "div",
      { class: "cb-writing-out" },
      row.node,
      verdict,
      wanted,
      element("div", { class: "cb-buttons" }, back, next),
      heading,
      choices,
    ),
    /** @param {Picture} picture */
    update(picture) {
      const { translation, step } = picture;
      const { steps, wrongFrom, foreign } = translation;
      shown = step;
      const written = steps.map(({ token }, i) => ({
        text: token,
        name: glossed(context, token),
        lang: token === END ? "en" : "ja",
        class: i === wrongFrom || foreign[i] ? "cb-written-word cb-wrong" : "cb-written-word",
      }));
      row.update(written, step);
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
