/** The words that were written, of which the reader chooses one, and those that were read. */
import { element, put, putText } from "../../lib/dom.js";
import { isJapanese } from "../../lib/japanese.js";
import { createHeat } from "../attention-view/heat.js";
import { radios } from "../influence-view/radios.js";
import { END } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** @param {string} token @param {import("./words.js").Words} words */
export function wordOf(token, words) {
  if (token === END) return element("span", { class: "cb-end", role: "img", "aria-label": words.end }, END);
  return element("span", { lang: isJapanese(token) ? "ja" : undefined }, token);
}

/** The translation as one reads it. @param {Context} context */
export function createSentence({ words, actions }) {
  const line = element("span", { class: "cb-translation" });
  /** @type {HTMLElement[]} */
  let parts = [];
  return {
    node: element("p", { class: "cb-result" }, element("span", { class: "cb-label" }, words.translation), " ", line),
    /** @param {Picture} picture */
    rebuild({ translation }) {
      parts = translation.target.map((token, i) => {
        const part = wordOf(token, words);
        actions.marks(part, i, null);
        return part;
      });
      line.replaceChildren(...parts);
    },
    /** @param {Picture} picture */
    update({ marked, translation }) {
      parts.forEach((part, i) => {
        part.classList.toggle("cb-marked", marked.query === i);
        part.classList.toggle("cb-partner", !marked.pair && marked.key === translation.best[i]);
      });
    },
  };
}

/** The words that were written, one below the other. @param {Context} context */
export function createWritten({ given, words, actions }) {
  const place = element("div", { class: "cb-written" });
  let listening = new AbortController();
  /** @type {ReturnType<typeof radios>} */
  let group;
  return {
    node: place,
    /** @param {Picture} picture */
    rebuild({ translation }) {
      listening.abort();
      listening = new AbortController();
      group = radios({
        label: words.written,
        name: "cb-list",
        contents: translation.target.map((token) => {
          const [reading, gloss] = given.notes[token] ?? ["", token === END ? words.end_short : ""];
          const word = element("span", { class: "cb-word" }, wordOf(token, words));
          const notes = element("span", { class: "cb-gloss" }, ...(gloss ? [gloss] : []));
          // the spaces part the words for a screen reader
          return [word, " ", element("span", { class: "cb-reading" }, reading), " ", notes];
        }),
        choose: actions.choose,
        signal: listening.signal,
      });
      group.buttons.forEach((button, i) => actions.marks(button, i, null));
      place.replaceChildren(group.node);
    },
    /** @param {Picture} picture */
    update({ focus, marked, translation }) {
      group.update(focus);
      group.buttons.forEach((button, i) => {
        button.classList.toggle("cb-marked", marked.query === i);
        button.classList.toggle("cb-partner", !marked.pair && marked.key === translation.best[i]);
      });
    },
    stop: () => listening.abort(),
  };
}

/** The words that were read, each with its weight for the one that is looked at. @param {Context} context */
export function createRead({ words, actions }) {
  const list = element("ul", { class: "cb-list", "aria-label": words.read });
  /** @type {{ node: HTMLElement, heat: ReturnType<typeof createHeat> }[]} */
  let items = [];
  let listening = new AbortController();
  return {
    node: list,
    /** @param {Picture} picture */
    rebuild({ translation }) {
      listening.abort();
      listening = new AbortController();
      const { signal } = listening;
      items = translation.source.map((token, j) => {
        const cell = element("span", { class: "cb-heat cb-weight" });
        const node = element(
          "li",
          {},
          element("span", { class: "cb-word" }, wordOf(token, words)),
          " ",
          cell,
        );
        actions.marks(node, null, j);
        // for the pointer alone: the keyboard moves the caret in the sentence
        if (token !== END) node.addEventListener("click", () => actions.edit(j), { signal });
        return { node, heat: createHeat(cell) };
      });
      list.replaceChildren(...items.map(({ node }) => node));
    },
    /** @param {Picture} picture */
    update({ looked, marked, translation }) {
      items.forEach(({ node, heat }, j) => {
        heat(translation.weights[looked][j], false);
        node.classList.toggle("cb-marked", marked.key === j);
        node.classList.toggle("cb-partner", !marked.pair && marked.query !== null && translation.best[marked.query] === j);
      });
    },
    stop: () => listening.abort(),
  };
}

/** What is being loaded, or why it could not be. @param {Context} context */
export function createWaiting({ words, actions, signal }) {
  const text = element("p", { role: "status" });
  const again = element("button", { type: "button" }, words.retry);
  again.addEventListener("click", actions.retry, { signal });
  again.hidden = true;
  const node = element("div", { class: "cb-waiting" }, text, again);
  return {
    node,
    /** @param {string} message @param {boolean} failed */
    show(message, failed) {
      node.hidden = !message;
      again.hidden = !failed;
      put(node, "data-failed", String(failed));
      putText(text, message);
    },
  };
}
