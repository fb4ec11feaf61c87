/** A token as it is written. */
import { element } from "../../lib/dom.js";
import { isJapanese } from "../../lib/japanese.js";
import { textWidth } from "../../lib/svg.js";

/** @typedef {import("./state.js").Token} Token */

/** Longer words, in units of the font size, are set smaller. */
const LONG = 3;
/** Font sizes of words and long words, as in the style sheet, and the least room for a token. */
const SIZE = 17;
const SMALL = 13;
const LEAST = 44;

/** @param {string} text */
export function wordOf(text) {
  // a subword may be nothing but a space
  const shown = text.trim() ? text : text.replace(/\s/g, "␣");
  const name = textWidth(shown) > LONG ? "cb-long" : undefined;
  return element("span", { lang: isJapanese(text) ? "ja" : undefined, class: name }, shown);
}

/** The token with its reading and gloss. @param {Token} token */
export function labelOf({ text, reading, gloss }) {
  const word = element("span", { class: "cb-word" }, wordOf(text));
  const notes = Object.entries({ "cb-reading": reading, "cb-gloss": gloss })
    .filter(([, note]) => note)
    // the spaces part the words for a screen reader
    .flatMap(([name, note]) => [" ", element("span", { class: name }, note)]);
  return [word, ...notes];
}

/** Pixels that the widest of the tokens needs. @param {Token[]} tokens */
export function roomFor(tokens) {
  const widths = tokens.map(({ text }) => {
    const width = textWidth(text);
    return 0.9 * width * (width > LONG ? SMALL : SIZE) + 2; // the guess is generous
  });
  return Math.max(LEAST, ...widths);
}
