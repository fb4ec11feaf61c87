/** A sentence as text, and as the tokens of a vocabulary. */
import { plainly } from "./spelling.js";

/** Words and marks in a text that is typed: where they stand, and as the vocabulary spells them. */
const PIECE = /[^\s.,。、]+|[.,。、]/g;

/** @param {string} text @returns {{ token: string, start: number, end: number }[]} */
export function piecesOf(text) {
  return [...text.matchAll(PIECE)].map((found) => ({
    token: plainly(found[0]).replace("。", ".").replace("、", ","),
    start: found.index,
    end: found.index + found[0].length,
  }));
}

/** A sentence as one writes it. @param {string[]} tokens */
export function textOf(tokens) {
  return tokens.join(" ").replace(/ ([.,])/g, "$1");
}
