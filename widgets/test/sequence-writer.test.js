import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  createWriter,
  firstDeparture,
  foreignTo,
  readingOf,
  sampleByLength,
  wordsIn,
} from "../src/figures/sequence-writer/state.js";
import { createTranslator } from "../src/lib/seq2seq.js";
import { unpack } from "../src/lib/weights.js";
import { openPage } from "./page.js";

const fixture = JSON.parse(
  readFileSync(new URL("fixtures/sequence-writer.json", import.meta.url), "utf8"),
);
const given = fixture.state;
const bytes = Buffer.from(given.models.seq2seq.data, "base64");
const weights = unpack(new Uint8Array(bytes));
const LONG = "a cat, and the dog sees a cat.";

/** @param {ArrayLike<number>} found @param {number[]} wanted */
function near(found, wanted) {
  assert.equal(found.length, wanted.length);
  wanted.forEach((x, i) => assert.ok(Math.abs(found[i] - x) < 1e-4, `${found[i]} is not ${x}`));
}

/** @param {object} [changes] */
async function open(changes) {
  const { document, window, errors } = await openPage({ one: { ...given, ...changes } });
  const all = (/** @type {string} */ selector) =>
    /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);
  const find = (/** @type {string} */ selector) => {
    const [node] = all(selector);
    assert.ok(node, selector);
    return node;
  };
  const figure = find(".cb-sequence-writer");
  for (let i = 0; i < 200 && figure.dataset.state === "loading"; i++) {
    await new Promise((wake) => setTimeout(wake, 5));
  }
  const input = /** @type {HTMLInputElement} */ (find(".cb-combobox input"));
  const [length, width] = /** @type {HTMLInputElement[]} */ (all(".cb-range"));
  return {
    figure,
    errors,
    all,
    find,
    input,
    length,
    width,
    text: (/** @type {string} */ selector) => find(selector).textContent ?? "",
    texts: (/** @type {string} */ selector) => all(selector).map((node) => node.textContent),
    type(/** @type {string} */ text) {
      input.value = text;
      input.setSelectionRange(text.length, text.length);
      input.dispatchEvent(new window.InputEvent("input", { bubbles: true }));
    },
    leave: () => input.dispatchEvent(new window.Event("blur")),
    press(/** @type {Element} */ node, /** @type {string} */ key) {
      node.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    },
    slide(/** @type {HTMLInputElement} */ slider, /** @type {number} */ value) {
      slider.value = String(value);
      slider.dispatchEvent(new window.Event("input", { bubbles: true }));
    },
    button(/** @type {string} */ label) {
      const node = all("button").find((one) => one.textContent === label);
      assert.ok(node, label);
      return node;
    },
  };
}

test("sentences, alternatives and beams are PyTorch's", () => {
  const writer = createWriter(weights, given);
  for (const { sentence, width, vector, written, likeliest, beams } of fixture.translations) {
    const found = writer(sentence, width);
    assert.deepEqual(found.steps.map(({ token }) => token), written);
    near(found.reading[found.reading.length - 1], vector);
    found.steps.forEach((step, i) => {
      assert.deepEqual(step.likeliest.map(({ token }) => token), likeliest[i].map((/** @type {any} */ [token]) => token));
      near(step.likeliest.map(({ share }) => share), likeliest[i].map((/** @type {any} */ [, share]) => share));
    });
    assert.deepEqual(found.beams.map(({ tokens }) => tokens.filter((token) => token !== "■")), beams);
    assert.equal(found.wanted !== null, sentence.length > 1);
  }
  assert.equal(fixture.translations.length, 12);
  assert.throws(() => writer(["cow"], 1), /no “cow”/);
});

test("the tree joins every place to what it continues, and one line leads to the winner", () => {
  const { levels, steps, beams } = createWriter(weights, given)(given.sentence, 5);
  levels.forEach((level, i) => {
    assert.equal(level.length, 5);
    assert.equal(level.filter(({ wins }) => wins).length, 1);
    for (const { parent } of level) assert.ok(parent >= 0 && parent < (levels[i - 1] ?? [0]).length);
    const winner = level.find(({ wins }) => wins);
    if (i < steps.length) assert.equal(winner?.token, steps[i].token);
    else assert.ok(winner?.done && !winner.continues);
  });
  const scores = beams.map(({ score }) => score);
  assert.deepEqual(scores, [...scores].sort((a, b) => b - a));
});

test("reading ends in the vector that the decoder is given, in both directions", () => {
  const translator = createTranslator(weights);
  const source = [4, 5, 7, 12, 2];
  const { memory, last } = translator.encode(source);
  const reading = readingOf(/** @type {Float64Array[]} */ (memory), 4);
  assert.deepEqual(Array.from(reading[4]), Array.from(last.hidden));
  // what was made of the first token does not depend on the last but one, and the other way round
  const other = translator.encode([4, 5, 7, 11, 2]);
  const changed = readingOf(/** @type {Float64Array[]} */ (other.memory), 4);
  assert.deepEqual(Array.from(reading[0]), Array.from(changed[0]));
  assert.deepEqual(Array.from(reading[2].subarray(0, 4)), Array.from(changed[2].subarray(0, 4)));
  assert.notDeepEqual(Array.from(reading[1].subarray(4)), Array.from(changed[1].subarray(4)));
});

test("a departure is found where it is, also at the end", () => {
  assert.equal(firstDeparture(["a", "b", "■"], ["a", "b"]), -1);
  assert.equal(firstDeparture(["a", "c", "■"], ["a", "b"]), 1);
  assert.equal(firstDeparture(["a", "■"], ["a", "b"]), 1);
  assert.equal(firstDeparture(["a", "b", "c", "■"], ["a", "b"]), 2);
  assert.equal(firstDeparture(["a", "b"], ["a", "b"]), 1); // it was cut off before it stopped
});

test("what has a place in the wanted sentence is told from what has none", () => {
  const wanted = ["cat", "ga", "dog", "o", "saw", "■"];
  /** @param {string} text */
  const foreign = (text) => text.split(" ").filter((_, i) => foreignTo(text.split(" "), wanted)[i]);
  assert.deepEqual(foreign("cat ga dog o saw ■"), []);
  assert.deepEqual(foreign("bird ga dog o saw ■"), ["bird"]);
  assert.deepEqual(foreign("cat o saw ■"), []); // what is left out cannot be marked
  assert.deepEqual(foreign("cat ga red red dog o ate ■"), ["red", "red", "ate"]);
  assert.deepEqual(foreign("dog ga cat o saw ■"), ["ga", "cat"]); // the order counts
  assert.deepEqual(foreign("cat cat ga"), ["cat"]);
  assert.deepEqual(foreignTo([], wanted), []);
});

test("samples of a length go round, and the nearest length is taken", () => {
  const [first, second, long] = given.samples;
  assert.equal(sampleByLength(given, 3, first.english), second);
  assert.equal(sampleByLength(given, 3, second.english), first);
  assert.equal(sampleByLength(given, 3, ["dog"]), first);
  assert.equal(sampleByLength(given, 7, first.english), long);
  assert.equal(wordsIn(long.english), long.words);
});

test("the figure steps through what was written, by pointer and by keys", async () => {
  const page = await open();
  assert.equal(page.figure.dataset.state, "ready");
  assert.deepEqual(page.texts(".cb-written button"), ["犬", "は", "歩い", "た", "。", "■"]);
  assert.equal(page.find(".cb-verdict").dataset.right, "true");
  assert.match(page.text(".cb-heading"), /^Step 1 of 6: 犬 \(inu, dog\) was written/);
  assert.equal(page.all(".cb-row").length, 5);
  page.button("Next").click();
  assert.match(page.text(".cb-heading"), /^Step 2 of 6: は \(wa, topic\)/);
  assert.equal(page.text(".cb-leaf.cb-now.cb-wins"), "は");
  page.press(page.all(".cb-written button")[1], "End");
  assert.match(page.text(".cb-heading"), /^Step 6 of 6: end/);
  assert.equal(page.button("Next").getAttribute("aria-disabled"), "true");
  page.button("Next").click();
  page.press(page.all(".cb-written button")[5], "ArrowRight");
  assert.match(page.text(".cb-heading"), /^Step 6 of 6/);
  page.all(".cb-written button")[2].click();
  assert.equal(page.all(".cb-written button")[2].getAttribute("aria-checked"), "true");
  assert.equal(page.all(".cb-written button").filter((node) => node.tabIndex === 0).length, 1);
  assert.deepEqual(page.errors, []);
});

test("reading back shows an earlier state, until another sentence is read", async () => {
  const page = await open();
  const strip = () => page.all(".cb-vector-heat rect").map((node) => node.getAttribute("fill-opacity"));
  const whole = strip();
  assert.equal(whole.length, 8);
  assert.match(page.text(".cb-vector .cb-caption"), /^5 tokens were read.* 8 numbers, and as many again/);
  assert.deepEqual(page.texts(".cb-read button"), ["the", "dog", "walked", ".", "■"]);
  page.all(".cb-read button")[1].click();
  assert.match(page.text(".cb-vector .cb-caption"), /^2 of 5 tokens read: from the front/);
  assert.equal(page.all(".cb-read .cb-unread").length, 3);
  assert.notDeepEqual(strip(), whole);
  page.press(page.all(".cb-read button")[1], "End");
  assert.deepEqual(strip(), whole);
  page.all(".cb-read button")[0].click();
  page.slide(page.width, 5);
  assert.equal(page.all(".cb-read .cb-unread").length, 4);
  page.type("dog");
  assert.equal(page.all(".cb-read .cb-unread").length, 0);
  page.all(".cb-read button")[0].click();
  page.button("Reset").click();
  assert.deepEqual(strip(), whole);
});

test("a longer sentence shows the failure, and where it begins", async () => {
  const page = await open();
  page.slide(page.length, 8);
  assert.equal(page.input.value, LONG);
  assert.deepEqual(page.texts(".cb-wrong"), ["。"]);
  assert.match(page.text(".cb-verdict"), /^It departs at step 4: 。 \(full stop\) was written, 、 \(comma\) is wanted/);
  assert.equal(page.text(".cb-wanted [lang=ja]"), "猫 が 犬 、 猫 。");
  page.slide(page.length, 3);
  page.button("Another sentence").click();
  assert.equal(page.input.value, "a cat walked.");
  page.type("the cat walked.");
  assert.match(page.text(".cb-verdict"), /only the grammar knows/);
  assert.equal(page.all(".cb-wrong").length, 0);
});

test("the beam has as many lines as it is wide", async () => {
  const page = await open();
  for (const width of [1, 5, 2]) {
    page.slide(page.width, width);
    assert.equal(page.all(".cb-beams li").length, width);
    assert.equal(page.all(".cb-leaf[data-step='1']").length, width);
  }
  page.slide(page.width, 1);
  assert.match(page.text(".cb-beam .cb-caption"), /greedy/);
  page.button("Reset").click();
  assert.equal(page.width.value, "3");
});

test("what cannot be read is said, and goes when another sentence comes", async () => {
  const page = await open();
  page.button("Next").click();
  page.leave();
  assert.match(page.text(".cb-heading"), /^Step 2/); // leaving the field changes nothing
  for (const mend of ["Reset", "Another sentence"]) {
    page.type("the <img src=x> walked.");
    page.leave();
    assert.match(page.text(".cb-complaint"), /“<img”/);
    assert.equal(page.all("img").length, 0);
    page.button(mend).click();
    assert.equal(page.text(".cb-complaint"), "");
    assert.notEqual(page.input.getAttribute("aria-invalid"), "true");
  }
  assert.equal(page.input.value, "a cat walked.");
  page.type("the cow");
  page.slide(page.length, 8);
  assert.equal(page.input.value, LONG);
  assert.equal(page.text(".cb-complaint"), "");
});

test("weights that cannot be loaded are told, and asked for again", async () => {
  const { sha256 } = given.models.seq2seq;
  const missing = { ...given.models, nowhere: { sha256: `${sha256}0` } };
  const page = await open({ models: missing, names: ["nowhere"] });
  assert.equal(page.figure.dataset.state, "failed");
  assert.match(page.text(".cb-waiting"), /could not be loaded: .*models\/nowhere\.js/);
  page.button("Try again").click();
  assert.ok(page.errors.length > 0);
});
