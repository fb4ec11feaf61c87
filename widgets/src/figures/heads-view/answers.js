/** The four questions, what the model answers, and whether it is so. */
import { element, put, putText } from "../../lib/dom.js";
import { fill } from "../../lib/words.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */
/** @typedef {import("./state.js").Answer} Answer */

/** @param {Context} context */
export function createAnswers(context) {
  const { given, words } = context;
  const rows = given.particles.map(([text, , gloss]) => {
    const japanese = element("span", { class: "cb-text", lang: "ja" });
    const notes = element("span", { class: "cb-gloss" });
    const bar = element("span", { class: "cb-bar", "aria-hidden": "true" });
    const share = element("span", { class: "cb-share" });
    const verdict = element("td", { class: "cb-verdict" });
    const question = element("th", { scope: "row" }, element("span", { lang: "ja" }, text), ` ${gloss}?`);
    const node = element(
      "tr",
      {},
      question,
      element("td", {}, japanese, " ", notes),
      element("td", { class: "cb-certainty" }, bar, share),
      verdict,
    );
    return { node, japanese, notes, bar, share, verdict };
  });
  const head = element(
    "tr",
    {},
    ...[words.question, words.answer, words.certainty, words.verdict].map((text) =>
      element("th", { scope: "col" }, text),
    ),
  );
  return {
    node: element(
      "table",
      { class: "cb-answers" },
      element("caption", { class: "cb-hidden" }, words.answers),
      element("thead", {}, head),
      element("tbody", {}, ...rows.map(({ node }) => node)),
    ),
    /** @param {Picture} picture */
    update({ reply }) {
      reply.answers.forEach((answer, i) => {
        const { node, japanese, notes, bar, share, verdict } = rows[i];
        const [text, reading, gloss] = given.animals[answer.animal];
        putText(japanese, text);
        putText(notes, `${reading}, ${gloss}`);
        bar.style.setProperty("--share", answer.share.toFixed(3));
        putText(share, fill(words.percent, { share: percent(answer.share) }));
        putText(verdict, `${markOf(answer)} ${verdictOf(context, answer)}`);
        put(node, "data-right", answer.asked.length ? String(answer.right) : "none");
      });
    },
  };
}

/** @param {number} share */
export const percent = (share) => Math.round(100 * share);

/** @param {Answer} answer */
const markOf = ({ asked, right }) => (!asked.length ? "–" : right ? "✓" : "✗");

/** @param {Context} context @param {Answer} answer */
export function verdictOf({ given, words }, { asked, right }) {
  const names = asked.map((animal) => given.animals[animal][2]);
  if (!names.length) return words.nobody;
  if (names.length > 1) return fill(words.several, { animals: names.join(words.or) });
  return right ? words.right : fill(words.wrong, { animal: names[0] });
}
