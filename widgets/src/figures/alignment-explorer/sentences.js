/** The picture in words. */
import { compose } from "../../lib/phrase.js";
import { fill } from "../../lib/words.js";
import { share } from "../attention-view/heat.js";
import { END, MOST_WRITTEN } from "./state.js";
import { wordOf } from "./tokens.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const NAMED = 3;
const LEAST = 0.05;

/**
 * Where the network looked when it wrote a word.
 * @param {Context} context
 * @param {Picture} picture
 * @param {number} [only] the one source word that is asked for
 * @returns {(string | Node)[]}
 */
export function looksOf({ given, words }, { looked, translation: { source, target, weights } }, only) {
  const row = weights[looked];
  const order = source.map((_, j) => j).sort((a, b) => row[b] - row[a]);
  const named = only === undefined ? order.slice(0, NAMED).filter((j, n) => !n || row[j] >= LEAST) : [only];
  const parts = named.flatMap((j, n) => [
    n ? ", " : "",
    ...compose(words.part, { word: wordOf(source[j], words), weight: share(row[j]) }),
  ]);
  return compose(words.looks, { target: nameOf(given, words, target[looked]), parts });
}

/** The translation, for those who do not see it. @param {Context} context @param {Picture} picture */
export function spokenOf(context, picture) {
  const { words } = context;
  const { target, ended } = picture.translation;
  const text = target.filter((token) => token !== END).join("");
  const looks = looksOf(context, picture);
  return [
    fill(words.spoken, { text }),
    ...(ended ? [] : [fill(words.cut, { most: MOST_WRITTEN })]),
    looks.map((part) => (typeof part === "string" ? part : (part.textContent ?? ""))).join(""),
  ].join(" ");
}

/**
 * @param {import("./state.js").Given} given
 * @param {import("./words.js").Words} words
 * @param {string} token
 * @returns {(string | Node)[]}
 */
function nameOf(given, words, token) {
  const word = wordOf(token, words);
  const notes = (given.notes[token] ?? (token === END ? [words.end_short] : []))
    .map((note) => note.replace(/^\((.*)\)$/, "$1")) // brackets would stand inside of ours
    .filter((note) => /[\p{L}\p{N}]/u.test(note)) // a full stop is not read aloud
    .join(", ");
  return notes ? compose(words.named, { word, notes }) : [word];
}
