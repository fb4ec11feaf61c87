import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createReader } from "../src/figures/alignment-explorer/state.js";
import { piecesOf, textOf } from "../src/lib/sentence.js";
import { unpack } from "../src/lib/weights.js";
import { openPage } from "./page.js";

const fixture = JSON.parse(
  readFileSync(new URL("fixtures/alignment-explorer.json", import.meta.url), "utf8"),
);

/** @param {string} name */
function readerOf(name) {
  return createReader(unpack(new Uint8Array(Buffer.from(fixture.state.models[name].data, "base64"))));
}

/** @param {object} [changes] */
async function open(changes) {
  const state = { ...fixture.state, ...changes };
  const { document, window, errors } = await openPage({ one: state });
  const all = (/** @type {string} */ selector) =>
    /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);
  const find = (/** @type {string} */ selector) => {
    const [node] = all(selector);
    assert.ok(node, selector);
    return node;
  };
  const waited = async () => {
    for (let i = 0; i < 200 && find(".cb-alignment-explorer").dataset.state === "loading"; i++) {
      await new Promise((wake) => setTimeout(wake, 5));
    }
    return find(".cb-alignment-explorer").dataset.state;
  };
  const input = /** @type {HTMLInputElement} */ (find(".cb-combobox input"));
  return {
    window,
    errors,
    all,
    find,
    input,
    waited,
    written: () => all(".cb-written [role=radio] .cb-word").map((node) => node.textContent),
    read: () => all(".cb-stage li .cb-word").map((node) => node.textContent),
    options: () => all("[role=option]").map((node) => node.textContent),
    complaint: () => find(".cb-complaint").textContent ?? "",
    /** Type a text, the caret behind it or where `caret` says. */
    type(/** @type {string} */ text, caret = text.length) {
      input.focus();
      input.value = text;
      input.setSelectionRange(caret, caret);
      input.dispatchEvent(new window.InputEvent("input", { bubbles: true }));
    },
    press(/** @type {Element} */ node, /** @type {string} */ key) {
      node.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    },
    over(/** @type {Element} */ node) {
      node.dispatchEvent(new window.Event("pointerover", { bubbles: true }));
    },
    slide(/** @type {string} */ value) {
      const range = /** @type {HTMLInputElement} */ (find(".cb-range"));
      range.value = value;
      range.dispatchEvent(new window.Event("input", { bubbles: true }));
    },
  };
}

test("translations and weights are PyTorch's, at every temperature", () => {
  let count = 0;
  for (const [name, cases] of Object.entries(fixture.translations)) {
    const reader = readerOf(name);
    for (const { sentence, temperature, target, weights } of cases) {
      const found = reader(sentence, temperature);
      assert.deepEqual(found.target, target);
      assert.deepEqual(found.source, [...sentence, "■"]);
      assert.ok(found.ended);
      weights.forEach((/** @type {number[]} */ row, /** @type {number} */ i) => {
        row.forEach((weight, j) => assert.ok(Math.abs(found.weights[i][j] - weight) < 1e-4));
        assert.equal(found.best[i], row.indexOf(Math.max(...row)));
      });
      count += 1;
    }
  }
  assert.equal(count, 18);
  assert.throws(() => readerOf("one")(["cow"], 1), /no “cow”/);
});

test("what is typed is cut as the grammar writes it, and written as one writes", () => {
  const tokens = (/** @type {string} */ text) => piecesOf(text).map(({ token }) => token);
  assert.deepEqual(tokens(" The DOG,a  cat. "), ["the", "dog", ",", "a", "cat", "."]);
  assert.deepEqual(tokens("ｄｏｇ、cat。"), ["dog", ",", "cat", "."]);
  assert.deepEqual(tokens(""), []);
  assert.deepEqual(piecesOf("a cat.")[1], { token: "cat", start: 2, end: 5 });
  assert.equal(textOf(["a", "cat", ",", "the", "dog", "."]), "a cat, the dog.");
});

test("the figure shows the translation, and the weights of the chosen word", async () => {
  const page = await open();
  assert.equal(await page.waited(), "ready");
  assert.deepEqual(page.written(), fixture.translations.one[0].target);
  assert.deepEqual(page.read(), ["the", "dog", "walked", ".", "■"]);
  assert.equal(page.find(".cb-translation").textContent, "犬は歩いた。■");
  assert.equal(page.all(".cb-matrix td.cb-heat").length, 6 * 5);
  assert.match(page.find(".cb-looks").textContent ?? "", /^When the network wrote 犬 \(inu, dog\)/);
  const first = page.all(".cb-weight").map((node) => node.textContent);
  page.all(".cb-written [role=radio]")[2].click();
  assert.notDeepEqual(page.all(".cb-weight").map((node) => node.textContent), first);
  assert.match(page.find(".cb-looks").textContent ?? "", /歩い \(arui, walk\)/);
  page.press(page.all(".cb-written [role=radio]")[2], "End");
  assert.match(page.find(".cb-looks").textContent ?? "", /wrote ■ \(end\)/);
  assert.deepEqual(page.errors, []);
});

test("typing is followed at once, and what cannot be translated is said", async () => {
  const page = await open();
  await page.waited();
  page.type("a cat, and the dog sees a cat.");
  assert.equal(page.find(".cb-translation").textContent, "猫が犬。■");
  assert.equal(page.complaint(), "");
  const before = page.written();
  page.type("a ca");
  assert.equal(page.complaint(), ""); // it may still become a cat
  page.input.dispatchEvent(new page.window.Event("blur"));
  assert.match(page.complaint(), /“ca”/);
  page.type("a caw");
  assert.match(page.complaint(), /“caw”\. Spelled most like it: cat/);
  assert.equal(page.input.getAttribute("aria-invalid"), "true");
  assert.deepEqual(page.written(), before);
  assert.equal(page.options()[0], "cat");
  page.press(page.input, "Enter");
  assert.equal(page.input.value, "a cat");
  assert.equal(page.complaint(), "");
  assert.deepEqual(page.read(), ["a", "cat", "■"]);
  page.type("   ");
  assert.match(page.complaint(), /at least one word/);
  page.type("dog ".repeat(32));
  assert.match(page.complaint(), /32 words and marks are too many: 31/);
  assert.deepEqual(page.read(), ["a", "cat", "■"]);
  page.find(".cb-controls > button").click();
  assert.equal(page.input.value, "the dog walked.");
  assert.equal(page.complaint(), "");
});

test("what is typed stays text", async () => {
  const page = await open();
  await page.waited();
  page.type("<img src=x>");
  assert.match(page.complaint(), /“<img”/);
  assert.equal(page.all("img").length, 0);
});

test("a word in the middle is completed in its place", async () => {
  const page = await open();
  await page.waited();
  page.type("the c walked.", 5);
  assert.deepEqual(page.options(), ["cat"]);
  page.press(page.input, "ArrowDown");
  assert.equal(page.input.getAttribute("aria-activedescendant"), page.find("[role=option]").id);
  page.press(page.input, "Enter");
  assert.equal(page.input.value, "the cat walked.");
  assert.equal(page.input.selectionStart, 7);
  assert.deepEqual(page.read().slice(0, 4), ["the", "cat", "walked", "."]);
  page.type("the s walked.", 5);
  page.find("[role=option]").click();
  assert.equal(page.input.value, "the sees walked.");
  page.type("the c");
  page.press(page.input, "Escape");
  assert.equal(page.input.getAttribute("aria-expanded"), "false");
});

test("a touched source word is selected in the field, and marked everywhere", async () => {
  const page = await open();
  await page.waited();
  page.all(".cb-stage li")[1].click();
  assert.deepEqual([page.input.selectionStart, page.input.selectionEnd], [4, 7]);
  page.over(page.all(".cb-stage li")[1]);
  assert.ok(page.all(".cb-stage li")[1].classList.contains("cb-marked"));
  assert.ok(page.all(".cb-matrix thead th")[1].classList.contains("cb-marked"));
  assert.equal(page.all(".cb-matrix td.cb-marked").length, 6);
  assert.equal(page.all(".cb-arc.cb-marked").length, 1);
  const partners = page.all(".cb-written .cb-partner").length;
  assert.equal(page.all(".cb-translation .cb-partner").length, partners);
  page.over(page.all(".cb-matrix tbody td")[6]);
  assert.equal(page.all(".cb-matrix td.cb-marked").length, 1);
  assert.match(page.find(".cb-looks").textContent ?? "", /wrote は .* at dog \(/);
});

test("temperature and network change the weights, and Reset brings all back", async () => {
  const page = await open();
  await page.waited();
  const weights = () => page.all(".cb-matrix td.cb-heat").map((node) => node.textContent);
  const first = weights();
  page.slide("0.1");
  assert.notDeepEqual(weights(), first);
  assert.equal(page.find(".cb-output").textContent, "0.10");
  page.slide("1");
  assert.deepEqual(weights(), first);
  page.all(".cb-kinds button")[1].click();
  assert.equal(await page.waited(), "ready");
  assert.notDeepEqual(weights(), first);
  page.slide("4");
  page.type("cat");
  page.find(".cb-controls > button").click();
  assert.deepEqual(weights(), first);
  assert.equal(page.all(".cb-kinds button")[0].getAttribute("aria-checked"), "true");
});

test("weights that cannot be loaded are told, and asked for again", async () => {
  const models = Object.fromEntries(
    Object.entries(fixture.state.models).map(([name, { sha256 }]) => [name, { sha256 }]),
  );
  const page = await open({ models });
  assert.equal(await page.waited(), "failed");
  assert.match(page.find(".cb-waiting").textContent ?? "", /could not be loaded: .*models\/one\.js/);
  const again = page.find(".cb-waiting button");
  assert.equal(again.hidden, false);
  again.click();
  assert.equal(page.find(".cb-alignment-explorer").dataset.state, "loading");
  assert.equal(await page.waited(), "failed");
  assert.ok(page.errors.length > 0);
});
