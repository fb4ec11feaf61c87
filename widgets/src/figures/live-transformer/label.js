/** A token as it is shown: the word, and for a Japanese one how it is read and what it means. */
import { element } from "../../lib/dom.js";
import { isJapanese } from "../../lib/japanese.js";

/** @typedef {import("./index.js").Context} Context */

/**
 * What stands for a token; the special ones are said in words.
 * @param {Context} context
 * @param {string} token
 */
export function textOf({ words, engine }, token) {
  if (token === engine.stop) return words.end;
  return token === engine.start ? words.begin : token;
}

/** @param {Context} context @param {string} token */
export function wordNode(context, token) {
  const special = token === context.engine.stop || token === context.engine.start;
  return element(
    "span",
    { class: special ? "cb-word cb-special" : "cb-word", lang: isJapanese(token) ? "ja" : undefined },
    textOf(context, token),
  );
}

/** Reading and meaning: "inu, dog"; "" where there is none. @param {Context} context @param {string} token */
export function notesOf({ notes }, token) {
  return (notes[token] ?? []).map((note) => note.replace(/^\((.*)\)$/, "$1")).filter(Boolean).join(", ");
}

/** The word with its reading and meaning in one line, for sentences. @param {Context} context @param {string} token */
export function named(context, token) {
  const notes = notesOf(context, token);
  return notes ? `${textOf(context, token)} (${notes})` : textOf(context, token);
}

/** A probability or weight: 1, .97, .03, 0. @param {number} x */
export function share(x) {
  const text = x.toFixed(2);
  return text.replace(/^0\./, ".").replace(/\.00$/, "").replace(/^\.00$/, "0") || "0";
}
