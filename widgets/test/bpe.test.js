/** Byte-level BPE against the book's Python, whose cuts tests/javascript/bpe_examples.py wrote. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { BYTES, byteIds, createTokenizer, pieces, readMerges } from "../src/lib/bpe.js";
import { MAX_TEXT, admit, cut } from "../src/figures/token-bench/state.js";
import { plain, show, showBytes } from "../src/figures/token-bench/visible.js";

const file = new URL("fixtures/bpe.json", import.meta.url);
/** @type {{ merges: string, cases: { text: string, pieces: string[], used: number, ids: number[], all_ids: number[], steps: number[] }[] }} */
const examples = JSON.parse(readFileSync(file, "utf8"));
const merges = readMerges(examples.merges);
const tokenizer = createTokenizer(merges);
const encoder = new TextEncoder();

test("the examples are many", () => {
  assert.ok(examples.cases.length >= 70);
  assert.ok(merges.length >= 150);
});

test("all bytes have one id each", () => {
  assert.deepEqual([...BYTES].sort((a, b) => a - b), Array.from({ length: 256 }, (_, i) => i));
  assert.deepEqual(byteIds("! a"), [0, 220, 64]);
});

test("pieces are Python's, and nothing is lost", () => {
  for (const { text, pieces: expected } of examples.cases) {
    assert.deepEqual(pieces(text), expected, JSON.stringify(text));
    assert.equal(pieces(text).join(""), text);
  }
});

test("ids are Python's, after some merges and after all", () => {
  for (const { text, used, ids, all_ids } of examples.cases) {
    assert.deepEqual(tokenizer.encode(text, used).flat(), ids, JSON.stringify(text));
    assert.deepEqual(tokenizer.encode(text).flat(), all_ids, JSON.stringify(text));
    assert.equal(tokenizer.decode(all_ids), text);
  }
});

test("going from merge to merge takes those that change the text, forth and back", () => {
  for (const { text, steps, all_ids } of examples.cases) {
    /** @type {number[]} */
    const forth = [];
    let state = { text, used: 0 };
    for (let { next } = cut(tokenizer, state); next; { next } = cut(tokenizer, state)) {
      state = { text, used: next.number };
      forth.push(next.number);
    }
    assert.deepEqual(forth, steps, JSON.stringify(text));
    assert.deepEqual(cut(tokenizer, state).tokens.map(({ id }) => id), all_ids);
    /** @type {number[]} */
    const back = [];
    for (let { last } = cut(tokenizer, state); last; { last } = cut(tokenizer, state)) {
      state = { text, used: last - 1 };
      back.push(last);
    }
    assert.deepEqual(back.reverse(), steps, JSON.stringify(text));
  }
});

test("the places of the next merge are those that it joins", () => {
  for (const { text, used } of examples.cases) {
    const { tokens, next } = cut(tokenizer, { text, used });
    if (!next) continue;
    const after = cut(tokenizer, { text, used: next.number });
    assert.equal(after.tokens.length, tokens.length - next.places.length, JSON.stringify(text));
  }
});

test("each character has its bytes, each byte its token", () => {
  for (const { text, used } of examples.cases) {
    const { tokens, characters } = cut(tokenizer, { text, used });
    assert.equal(characters.map((one) => one.text).join(""), text);
    for (const { text: character, bytes } of characters) {
      assert.deepEqual(bytes.map(({ byte }) => byte), [...encoder.encode(character)]);
    }
    const all = characters.flatMap(({ bytes }) => bytes);
    tokens.forEach((token, i) => {
      const own = all.filter((one) => one.token === i).map(({ byte }) => byte);
      assert.deepEqual(own, token.bytes);
    });
  }
});

test("half a character counts as �, and a long text is cut between characters", () => {
  assert.deepEqual(admit("a\ud83d b"), { text: "a\ufffd b", length: 4, broken: true });
  assert.deepEqual(admit("\udc00\ud800"), { text: "\ufffd\ufffd", length: 2, broken: true });
  const dogs = "🐕".repeat(MAX_TEXT + 5);
  const { text, length, broken } = admit(dogs);
  assert.deepEqual([length, broken], [MAX_TEXT + 5, false]);
  assert.equal(text, "🐕".repeat(MAX_TEXT));
});

test("what has no picture gets one", () => {
  const sign = (/** @type {string} */ character) => show(character).text;
  assert.deepEqual([" ", "\n", "\t"].map(sign), ["␣", "↵", "⇥"]);
  assert.deepEqual(["\u0000", "\u200d", "\u3000", "\ufe0f", "\u00ad", "\ufeff"].map(sign), [
    "U+0000",
    "U+200D",
    "U+3000",
    "U+FE0F",
    "U+00AD",
    "U+FEFF",
  ]);
  assert.equal(sign("犬"), "犬");
  const bytesOf = (/** @type {string} */ text) => [...encoder.encode(text)];
  const shown = (/** @type {number[]} */ bytes) => showBytes(bytes).map(({ text }) => text);
  assert.deepEqual(shown(bytesOf(" dog")), ["␣", "dog"]);
  assert.deepEqual(shown([...bytesOf("は"), 0xe3]), ["は", "E3"]);
  assert.deepEqual(shown(bytesOf("は").slice(1)), ["81", "AF"]);
  assert.deepEqual(shown([...bytesOf("は").slice(2), ...bytesOf("犬")]), ["AF", "犬"]);
  assert.deepEqual(shown(bytesOf("\u0301a")), ["◌\u0301a"]);
  assert.deepEqual(shown(bytesOf("a\u0301")), ["a\u0301"]);
  assert.equal(plain(bytesOf(" dog\u200d")), "␣dog U+200D");
  assert.equal(plain([0x81, 0xaf, ...bytesOf("犬a")]), "81 AF 犬a");
});
