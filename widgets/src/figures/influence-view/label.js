/** Words and numbers as they are written in the figure. */
import { element } from "../../lib/dom.js";
import { isJapanese } from "../../lib/japanese.js";
import { compose } from "../../lib/phrase.js";

/** @typedef {import("./state.js").Word} Word */

/** @param {string} text */
export function wordOf(text) {
  return element("span", { lang: isJapanese(text) ? "ja" : undefined }, text);
}

/** Reading and gloss; a full stop is not read aloud. @param {Word} word */
export function notesOf({ reading, gloss }) {
  return [reading, gloss.replace(/^\((.*)\)$/, "$1")].filter((note) => /[\p{L}\p{N}]/u.test(note)).join(", ");
}

/** @param {import("./words.js").Words} words @param {Word} word @returns {(string | Node)[]} */
export function nameOf(words, word) {
  const notes = notesOf(word);
  return notes ? compose(words.named, { word: wordOf(word.text), notes }) : [wordOf(word.text)];
}

/** 1.24, .07, or "<.01" for what is small and yet not nothing. @param {number} x */
export function amount(x) {
  return x > 0 && x < 0.005 ? "<.01" : x === 0 ? "0" : x.toFixed(2).replace(/^0/, "");
}

/** A share of 1, never rounded up to it. @param {number} x */
export function share(x) {
  return x > 0.995 ? ">.99" : amount(x);
}
