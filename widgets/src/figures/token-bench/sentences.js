/** What the figure says in words. */
import { element } from "../../lib/dom.js";
import { format } from "../../lib/numbers.js";
import { fill } from "../../lib/words.js";
import { hex, langOf, plain } from "./visible.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const N_BYTES = 256;

/** @param {number[]} bytes */
const hexes = (bytes) => bytes.map(hex).join(" ");

/**
 * Fill the placeholders of a phrase with elements.
 * @param {string} phrase
 * @param {Record<string, Node | string>} values
 * @returns {(Node | string)[]}
 */
function compose(phrase, values) {
  return phrase.split(/\{(\w+)\}/).map((part, i) => (i % 2 ? values[part] : part));
}

/** A token's text, set off from the sentence around it. @param {number[]} bytes */
function quoted(bytes) {
  const text = plain(bytes);
  return element("span", { class: "cb-quoted", lang: langOf(text) }, text);
}

/** @param {number} count @param {string} one @param {string} many */
function counted(count, one, many) {
  return fill(count === 1 ? one : many, { count });
}

/**
 * @param {Context} context
 * @param {Picture} picture
 */
function numbersOf({ words }, { cuts }) {
  const { tokens, characters, bytes } = cuts;
  return [
    counted(characters.length, words.one_character, words.characters),
    counted(bytes, words.one_byte, words.byte_count),
    counted(tokens.length, words.one_token, words.token_count),
    characters.length
      ? fill(words.per_character, { ratio: format(tokens.length / characters.length) })
      : words.no_ratio,
  ];
}

/** Counts, each a word of its own. @param {Context} context @param {Picture} picture */
export function countsOf(context, picture) {
  return numbersOf(context, picture).map((text) => element("span", {}, text));
}

/**
 * The next merge that changes the text, or why there is none.
 * @param {Context} context
 * @param {Picture} picture
 */
export function nextOf({ words, tokenizer }, { cuts }) {
  if (!cuts.next) return [cuts.tokens.length ? words.none_left : words.nothing_to_merge];
  const { pair, id, number, places } = cuts.next;
  return compose(words.next_merge, {
    number: String(number),
    left: quoted(tokenizer.bytes[pair[0]]),
    right: quoted(tokenizer.bytes[pair[1]]),
    joined: quoted(tokenizer.bytes[id]),
    places: counted(places.length, words.one_place, words.places),
  });
}

/**
 * What is known of a token: its text, id and bytes, and the merge that made it.
 * @param {Context} context
 * @param {Picture} picture
 * @param {number | null} marked
 */
export function detailsOf({ words, tokenizer }, { cuts }, marked) {
  if (marked === null) return [cuts.tokens.length ? words.point : words.nothing];
  const { id, bytes } = cuts.tokens[marked];
  const values = { text: quoted(bytes), id: String(id), bytes: hexes(bytes) };
  if (id < N_BYTES) return compose(words.bare_byte, values);
  const [left, right] = tokenizer.merges[id - N_BYTES];
  return compose(words.merged, {
    ...values,
    number: String(id - N_BYTES + 1),
    left: quoted(tokenizer.bytes[left]),
    right: quoted(tokenizer.bytes[right]),
  });
}

/**
 * The name of a token for a screen reader.
 * @param {Context} context
 * @param {Picture} picture
 * @param {number} index
 */
export function tokenOf({ words }, { cuts }, index) {
  const { id, bytes } = cuts.tokens[index];
  return fill(words.token_label, {
    text: plain(bytes),
    number: index + 1,
    all: cuts.tokens.length,
    id,
    bytes: hexes(bytes),
  });
}

/** @param {Context} context @param {Picture} picture */
export function spokenOf(context, picture) {
  const { words } = context;
  const [characters, bytes, tokens, ratio] = numbersOf(context, picture);
  const next = element("p", {}, ...nextOf(context, picture)).textContent ?? "";
  const used = picture.state.used;
  return fill(words.spoken, { used, characters, bytes, tokens, ratio, next });
}
