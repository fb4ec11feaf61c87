import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openPage } from "./page.js";

const file = new URL("fixtures/bpe.json", import.meta.url);
const { merges } = JSON.parse(readFileSync(file, "utf8"));
const all = merges.split(" ").length;
const RUNNING = "犬が歩いていると猫と出会いました。";

/** @param {object} [changes] */
async function open(changes) {
  const state = {
    figure: "token-bench",
    merges,
    text: RUNNING,
    merges_used: 0,
    presets: [["Dog", RUNNING], ["Emoji", "👩‍🚀 👩‍🚀"]],
    example: { text: RUNNING, used: 0 },
    ...changes,
  };
  const { document, window, errors } = await openPage({ one: state });
  const find = (/** @type {string} */ selector) => {
    const node = document.querySelector(selector);
    assert.ok(node, selector);
    return /** @type {HTMLInputElement} */ (node);
  };
  const texts = (/** @type {string} */ selector) =>
    [...document.querySelectorAll(selector)].map((node) => node.textContent ?? "");
  return {
    document,
    errors,
    find,
    texts,
    field: find("textarea"),
    /** @param {string} text @param {boolean} [isComposing] */
    type(text, isComposing = false) {
      find("textarea").value = text;
      find("textarea").dispatchEvent(new window.InputEvent("input", { bubbles: true, isComposing }));
    },
    /** @param {"compositionstart" | "compositionend"} name */
    compose(name) {
      find("textarea").dispatchEvent(new window.CompositionEvent(name, { bubbles: true }));
    },
    /** @param {number} used */
    slide(used) {
      find(".cb-range").value = String(used);
      find(".cb-range").dispatchEvent(new window.Event("input", { bubbles: true }));
    },
    /** @param {string} key */
    press(key) {
      const event = new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(event);
    },
    /** @param {string} selector @param {string} name */
    point(selector, name = "pointerover") {
      find(selector).dispatchEvent(new window.Event(name, { bubbles: true }));
    },
    button(/** @type {string} */ label) {
      const found = [...document.querySelectorAll("button")].find((one) => one.textContent === label);
      assert.ok(found, label);
      return found;
    },
    counts: () => texts(".cb-counts span").join(", "),
  };
}

test("the running sentence without merges is its bytes", async () => {
  const { counts, texts, errors } = await open();
  assert.equal(counts(), "17 characters, 51 bytes, 51 tokens, 3.00 tokens per character");
  assert.deepEqual(texts(".cb-chip").slice(0, 3), ["E7", "8A", "AC"]);
  assert.deepEqual(texts(".cb-caption").join(""), RUNNING);
  assert.equal(texts(".cb-id").length, 51);
  assert.deepEqual(errors, []);
});

test("sliding joins tokens; the buttons go from merge to merge and back", async () => {
  const { slide, counts, button, find, texts } = await open();
  slide(all);
  assert.match(counts(), /51 bytes, \d tokens/);
  assert.equal(button("Next merge ▸").getAttribute("aria-disabled"), "true");
  assert.match(find(".cb-next-merge").textContent ?? "", /None of the merges/);
  slide(0);
  button("Next merge ▸").click();
  const first = find("output").textContent;
  assert.notEqual(first, `0 of ${all}`);
  const chips = texts(".cb-chip").length;
  assert.ok(chips < 51);
  button("Next merge ▸").click();
  assert.ok(texts(".cb-chip").length < chips);
  button("◂ One back").click();
  button("◂ One back").click();
  assert.equal(texts(".cb-chip").length, 51);
  assert.equal(button("◂ One back").getAttribute("aria-disabled"), "true");
  const before = find("output").textContent;
  button("◂ One back").click();
  assert.equal(find("output").textContent, before, "a button without use does nothing");
});

test("the next merge is named and its places are marked", async () => {
  const { find, texts } = await open({ text: "aaaa", merges_used: 0 });
  assert.match(find(".cb-next-merge").textContent ?? "", /merge \d+: a \+ a → aa, in 2 places/);
  assert.equal(texts(".cb-next-left").length, 2);
  assert.equal(texts(".cb-next-right").length, 2);
});

test("typing cuts at once; an input method is waited for, and its field left alone", async () => {
  const { type, compose, counts, field } = await open();
  type("dog");
  assert.match(counts(), /^3 characters/);
  compose("compositionstart");
  type("dogi", true);
  type("dogい", false); // some input methods do not flag their events
  assert.match(counts(), /^3 characters/);
  assert.equal(field.value, "dogい");
  type("dog犬が", true);
  compose("compositionend");
  assert.match(counts(), /^5 characters/);
  assert.equal(field.value, "dog犬が");
});

test("a long text is cut with a word about it, half a character too, and the field keeps both", async () => {
  const { type, counts, field, find, texts } = await open();
  const long = "🐕".repeat(301);
  type(long);
  assert.match(counts(), /^300 characters, 1200 bytes/);
  assert.match(find(".cb-complaint").textContent ?? "", /^301 characters: only the first 300/);
  assert.equal(field.value, long);
  type("a\ud83d");
  assert.match(find(".cb-complaint").textContent ?? "", /half a character/);
  assert.deepEqual(texts(".cb-caption"), ["a", "\ufffd"]);
  type("a🐕");
  assert.equal(find(".cb-complaint").textContent, "");
});

test("the empty text has no tokens", async () => {
  const { type, counts, find, press } = await open();
  type("");
  assert.equal(counts(), "0 characters, 0 bytes, 0 tokens, no characters");
  assert.match(find(".cb-tokens").textContent ?? "", /no ids at all/);
  assert.equal(find(".cb-next-merge").textContent, "There is nothing to merge.");
  find(".cb-range").focus();
  press("ArrowRight");
});

test("a token under the pointer is marked as chip, bytes and id", async () => {
  const { point, texts, find } = await open({ text: "犬 犬", merges_used: 2000 });
  for (const selector of ['.cb-chip[data-token="0"]', '.cb-byte[data-token="0"]', '.cb-id[data-token="0"]']) {
    point(selector);
    assert.equal(texts(".cb-chip.cb-marked").length, 1);
    assert.equal(texts(".cb-id.cb-marked").length, 1);
    assert.ok(texts(".cb-byte.cb-marked").length >= 1);
    assert.match(find(".cb-details").textContent ?? "", /has id \d+/);
    point(".cb-strips", "pointerleave");
    assert.equal(texts(".cb-marked").length, 0);
    assert.match(find(".cb-details").textContent ?? "", /Point at a token/);
  }
});

test("arrow keys go through the tokens, which have one place in the tab order", async () => {
  const { document, press, texts, find } = await open();
  assert.equal(document.querySelectorAll('.cb-chip[tabindex="0"]').length, 1);
  find(".cb-chip").focus();
  assert.equal(texts(".cb-chip.cb-marked")[0], "E7");
  press("ArrowRight");
  press("ArrowRight");
  assert.equal(document.activeElement?.getAttribute("aria-label"), "AC: token 3 of 51, id 105, bytes AC");
  assert.equal(document.activeElement?.getAttribute("aria-selected"), "true");
  press("End");
  press("ArrowRight");
  assert.match(document.activeElement?.getAttribute("aria-label") ?? "", /token 51 of 51/);
  press("Home");
  press("ArrowLeft");
  assert.match(document.activeElement?.getAttribute("aria-label") ?? "", /token 1 of 51/);
  assert.equal(document.querySelectorAll('.cb-chip[tabindex="0"]').length, 1);
});

test("a click on an id leads to its token", async () => {
  const { document, find } = await open();
  find('.cb-id[data-token="4"]').click();
  assert.match(document.activeElement?.getAttribute("aria-label") ?? "", /token 5 of 51/);
});

test("presets and Reset change the field too", async () => {
  const { button, field, slide, find, counts } = await open();
  button("Emoji").click();
  assert.equal(field.value, "👩‍🚀 👩‍🚀");
  assert.equal(button("Emoji").getAttribute("aria-pressed"), "true");
  assert.equal(button("Dog").getAttribute("aria-pressed"), "false");
  slide(5);
  button("Reset").click();
  assert.equal(field.value, RUNNING);
  assert.equal(find("output").textContent, `0 of ${all}`);
  assert.match(counts(), /51 tokens/);
});

test("typed markup stays text, and invisible characters show", async () => {
  const { type, document, texts, errors } = await open();
  type("<img src=x onerror=alert(1)>\u0000\u200b");
  assert.equal(document.querySelectorAll(".cb-figure img").length, 0);
  assert.deepEqual(texts(".cb-caption").slice(-2), ["U+0000", "U+200B"]);
  assert.deepEqual(errors, []);
});

test("a figure without merges shows bytes and does not break", async () => {
  const { counts, find, errors } = await open({ merges: "" });
  assert.match(counts(), /51 tokens/);
  assert.equal(find("output").textContent, "0 of 0");
  assert.deepEqual(errors, []);
});
