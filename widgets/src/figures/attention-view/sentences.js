/** The picture in words. */
import { compose } from "../../lib/phrase.js";
import { row } from "../../lib/tensor.js";
import { fineShare } from "./heat.js";
import { wordOf } from "./label.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */
/** @typedef {import("./state.js").Token} Token */

const MOST_PARTS = 4;
const LEAST_PART = 0.05;

/**
 * What a query takes from the keys, the heaviest first.
 * @param {Context} context
 * @param {Picture} picture
 * @param {number} query
 * @returns {(string | Node)[]}
 */
export function takesOf({ words, given }, { weights }, query) {
  const all = Array.from(row(weights, query));
  const name = nameOf(words, given.queries[query]);
  if (!all.some((weight) => weight > 0)) return compose(words.takes_nothing, { query: name });
  const order = all.map((_, j) => j).sort((a, b) => all[b] - all[a]);
  const named = order.filter((j) => all[j] >= LEAST_PART).slice(0, MOST_PARTS);
  if (!named.length) named.push(...order.slice(0, MOST_PARTS));
  let others = order.filter((j) => all[j] > 0 && !named.includes(j));
  if (others.length === 1) {
    named.push(...others); // no shorter without its name
    others = [];
  }
  const parts = named.map((j) =>
    compose(words.part, { weight: fineShare(all[j]), key: nameOf(words, given.keys[j]) }),
  );
  const rest = others.reduce((sum, j) => sum + all[j], 0);
  if (rest >= 0.005) {
    parts.push(compose(words.rest, { weight: fineShare(rest), count: String(others.length) }));
  }
  const listed = parts.flatMap((part, i) => (i ? [", ", ...part] : part));
  return compose(words.takes, { query: name, parts: listed });
}

/**
 * What one query takes from one key.
 * @param {Context} context
 * @param {Picture} picture
 * @param {number} query
 * @param {number} key
 */
export function pairOf({ words, given }, { weights }, query, key) {
  return compose(words.takes, {
    query: nameOf(words, given.queries[query]),
    parts: compose(words.part, {
      weight: fineShare(row(weights, query)[key]),
      key: nameOf(words, given.keys[key]),
    }),
  });
}

/**
 * @param {import("./words.js").Words} words
 * @param {Token} token
 * @returns {(string | Node)[]}
 */
function nameOf(words, { text, reading, gloss }) {
  // brackets of their own, as in "(past)", would stand inside of ours; a full stop is not read aloud
  const notes = [reading, gloss.replace(/^\((.*)\)$/, "$1")]
    .filter((note) => /[\p{L}\p{N}]/u.test(note))
    .join(", ");
  const token = wordOf(text);
  return notes ? compose(words.token, { token, notes }) : [token];
}
