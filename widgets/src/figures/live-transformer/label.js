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

/** A probability or weight: .97, .03, and what is nearly all or nothing: >.99, <.01. @param {number} x */
export function share(x) {
  if (x === 0 || x === 1) return String(x);
  if (x >= 0.995) return ">.99";
  if (x < 0.005) return "<.01";
  return x.toFixed(2).replace(/^0\./, ".");
}
