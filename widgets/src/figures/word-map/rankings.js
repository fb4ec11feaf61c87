/** The nearest words by cosine and by dot product, side by side. */
import { element, put, putText } from "../../lib/dom.js";
import { format } from "../../lib/numbers.js";
import { badge, colour } from "./shapes.js";
import { LISTED } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** @param {Context} context */
export function createRankings(context) {
  const { words } = context;
  const cosine = createRanking(context, { name: words.by_cosine, kind: "cosine", lengths: false });
  const product = createRanking(context, { name: words.by_product, kind: "product", lengths: true });
  return {
    node: element("div", { class: "cb-rankings" }, cosine.node, product.node),
    /** @param {Picture} picture */
    update(picture) {
      const { found, marked } = picture;
      cosine.update(found.byCosine, found.cosines, marked);
      product.update(found.byProduct, found.products, marked);
    },
  };
}

/**
 * @param {Context} context
 * @param {{ name: string, kind: string, lengths: boolean }} options `lengths`: say how long each
 *   word's vector is, which is what sets the two rankings apart
 */
function createRanking({ words, space, actions, signal }, { name, kind, lengths }) {
  /** @type {number[]} */
  let listed = [];
  const rows = Array.from({ length: LISTED }, (_, index) => {
    const parts = {
      sign: element("span", { class: "cb-sign" }),
      word: element("span", { class: "cb-word" }),
      length: element("span", { class: "cb-length" }),
      score: element("span", { class: "cb-score" }),
    };
    const button = element("button", { type: "button", tabindex: index ? -1 : 0 });
    // the spaces are for those who hear the row
    button.append(parts.sign, parts.word, " ", ...(lengths ? [parts.length, " "] : []), parts.score);
    button.addEventListener("click", () => actions.askWord(space.words[listed[index]]), { signal });
    for (const event of ["pointerenter", "focusin"]) {
      button.addEventListener(event, () => actions.mark(listed[index] ?? null), { signal });
    }
    for (const event of ["pointerleave", "focusout"]) {
      button.addEventListener(event, () => actions.mark(null), { signal });
    }
    return { ...parts, button, row: element("li", {}, button) };
  });
  const list = element("ol", { "aria-label": name }, ...rows.map(({ row }) => row));
  // one stop for the tab key; the arrow keys go from row to row
  list.addEventListener(
    "keydown",
    (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const from = rows.findIndex(({ button }) => button === event.target);
      if (!step || from < 0) return;
      event.preventDefault();
      event.stopPropagation();
      const to = Math.min(Math.max(from + step, 0), listed.length - 1);
      rows.forEach(({ button }, i) => put(button, "tabindex", i === to ? 0 : -1));
      rows[to].button.focus();
    },
    { signal },
  );
  const head = element(
    "div",
    { class: "cb-head", "aria-hidden": "true" },
    element("span", { class: `cb-ring-sign cb-by-${kind}` }),
    element("span", { class: "cb-word" }, name),
    ...(lengths ? [element("span", { class: "cb-length" }, words.length)] : []),
  );

  return {
    node: element("div", { class: `cb-ranking cb-${kind}` }, head, list),
    /** @param {number[]} ranking @param {number[]} scores @param {number | null} marked */
    update(ranking, scores, marked) {
      listed = ranking.slice(0, LISTED);
      const most = kind === "cosine" ? 1 : Math.max(...listed.map((i) => Math.abs(scores[i])), 1e-9);
      rows.forEach(({ row, button, sign, word, length, score }, place) => {
        const i = listed[place];
        row.hidden = i === undefined;
        button.disabled = i === undefined;
        if (i === undefined) return;
        const class_ = space.kinds.indexOf(space.classes[i]);
        if (sign.dataset.kind !== String(class_)) {
          sign.dataset.kind = String(class_);
          sign.replaceChildren(badge(class_));
        }
        putText(word, space.words[i]);
        putText(length, format(space.lengths[i], 1));
        putText(score, format(scores[i]));
        row.style.setProperty("--colour", colour(class_));
        row.style.setProperty("--share", Math.max(0, scores[i] / most).toFixed(4));
        row.classList.toggle("cb-marked", marked === i);
      });
    },
  };
}
