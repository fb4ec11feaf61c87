/** The picture in words. */
import { compose } from "../../lib/phrase.js";
import { fill } from "../../lib/words.js";
import { likeliest } from "./answers.js";
import { amount, nameOf, share } from "./label.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const NAMED = 3;

/**
 * @param {Context} context
 * @param {Picture} picture
 * @returns {(string | Node)[]}
 */
export function saidOf({ given, words }, { state, reach }) {
  const word = (/** @type {number} */ s) => nameOf(words, given.vocabulary[state.sentence[s]]);
  const reached = reach.influence.flatMap((influence, s) => (influence === null ? [] : [s]));
  const strength = (/** @type {number} */ s) => reach.influence[s] ?? 0;
  const named = reached.sort((a, b) => strength(b) - strength(a)).slice(0, NAMED);
  const parts = named.flatMap((s, i) => [
    i ? ", " : "",
    ...compose(words.part, { word: word(s), amount: amount(strength(s)) }),
  ]);
  const outside = reach.influence.length - reached.length;
  const [best] = likeliest(reach.shares);
  return [
    ...compose(words.hears, { name: given.names[state.network], word: word(state.focus), parts }),
    " ",
    outside ? fill(outside === 1 ? words.outside_one : words.outside, { count: outside }) : words.all_reach,
    " ",
    fill(words.takes_it_for, { class: given.classes[best], share: share(reach.shares[best]) }),
  ];
}
