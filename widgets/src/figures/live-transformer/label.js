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

/** @param {Context} context @param {string} token @returns {string[]} its reading and its meaning, as far as there are any */
const notesList = ({ notes }, token) => (notes[token] ?? []).map((note) => note.replace(/^\((.*)\)$/, "$1")).filter(Boolean);

/** Reading and meaning: "inu, dog"; "" where there is none. @param {Context} context @param {string} token */
export const notesOf = (context, token) => notesList(context, token).join(", ");

/** The meaning alone: "dog". @param {Context} context @param {string} token */
export const meaningOf = (context, token) => notesList(context, token).slice(1).join(", ");

/** The word with its meaning in one line: "犬 dog". @param {Context} context @param {string} token */
export const named = (context, token) => [textOf(context, token), meaningOf(context, token)].filter(Boolean).join(" ");

/** A probability or weight: .97, .03, and what is nearly all or nothing: >.99, <.01. @param {number} x */
export function share(x) {
  if (x === 0 || x === 1) return String(x);
  if (x >= 0.995) return ">.99";
  if (x < 0.005) return "<.01";
  return x.toFixed(2).replace(/^0\./, ".");
}
