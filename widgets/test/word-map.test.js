import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { boxAround, inTurn, overlap, placeLabels } from "../src/figures/word-map/labels.js";
import { createSpace, search } from "../src/figures/word-map/state.js";
import { closest, spellingDistance } from "../src/lib/spelling.js";
import { openPage } from "./page.js";

const maps = JSON.parse(readFileSync(new URL("fixtures/word-map.json", import.meta.url), "utf8"));

/** @param {number[]} actual @param {number[]} expected @param {string} what @param {number} [off] */
function close(actual, expected, what, off = 1e-9) {
  assert.equal(actual.length, expected.length, what);
  actual.forEach((x, i) => {
    const error = Math.abs(x - expected[i]) / Math.max(1, Math.abs(expected[i]));
    assert.ok(error < off, `${what}[${i}]: ${x}, Python ${expected[i]}`);
  });
}

test("queries, cosines, products and rankings are Python's", () => {
  assert.ok(maps.length >= 4);
  for (const { asks, ...data } of maps) {
    const space = createSpace({ ...data, analogies: [] });
    assert.ok(asks.length >= 9);
    for (const { state, query, at, cosines, products, by_cosine, by_product } of asks) {
      const found = search(space, state);
      const name = `${state.asks} ${state[state.asks]}`;
      close(found.query, query, `${name}: query`);
      close(found.at, at, `${name}: at`);
      close(found.cosines, cosines, `${name}: cosines`);
      close(found.products, products, `${name}: products`);
      const named = (/** @type {number[]} */ ranking) => ranking.map((i) => space.words[i]);
      assert.deepEqual(named(found.byCosine), by_cosine, `${name}: by cosine`);
      assert.deepEqual(named(found.byProduct), by_product, `${name}: by product`);
    }
  }
});

test("a place asks within the map: its products are seen there, its cosines do not see its length", () => {
  const [{ asks, ...data }] = maps;
  const space = createSpace({ ...data, analogies: [] });
  const ask = (/** @type {[number, number]} */ place) =>
    search(space, { ...asks[0].state, asks: "place", place });
  const [near, far] = [ask([0.2, 0.1]), ask([2, 1])];
  const rounding = 1e-5; // of the directions
  close(near.at, [0.2, 0.1], "at", rounding);
  space.places.forEach(([x, y], i) => {
    close([near.products[i]], [(0.2 * x + 0.1 * y) * space.lengths[i]], "product", rounding);
    close([far.products[i]], [10 * near.products[i]], "ten times as long");
    close([far.cosines[i]], [near.cosines[i]], "cosine");
  });
});

test("spelling: letters changed, added, taken away, swapped", () => {
  /** @type {[string, string, number][]} */
  const cases = [
    ["cat", "cat", 0],
    ["", "cat", 3],
    ["cat", "", 3],
    ["cta", "cat", 1],
    ["kitten", "sitting", 3],
    ["hrose", "horse", 1],
    ["犬が", "猫が", 1],
  ];
  for (const [one, other, distance] of cases) assert.equal(spellingDistance(one, other), distance);
  assert.deepEqual(closest("kign", ["cat", "king", "ring"], 2), ["king", "ring"]);
});

test("names get a place beside their mark, never on another name, or none", () => {
  const marks = Array.from({ length: 40 }, (_, i) => ({ x: 100 + (i % 8) * 9, y: 100 + i, r: 4 }));
  const order = inTurn(
    marks.map((_, i) => i),
    (i) => i % 3,
  );
  assert.deepEqual(order.slice(0, 3).map((i) => i % 3), [0, 1, 2]);
  const taken = [boxAround({ x: 100, y: 100 }, 9)];
  const places = placeLabels({ order, marks, widths: marks.map(() => 40), height: 14, size: 300, taken });
  const boxes = [...places.values()];
  assert.ok(boxes.length > 5 && boxes.length < 40);
  boxes.forEach((box, i) => {
    assert.ok(box.left >= 0 && box.right <= 300 && box.top >= 0 && box.bottom <= 300);
    for (const other of boxes.slice(i + 1)) assert.ok(!overlap(box, other));
  });
});

const words = ["cat", "dog", "castle", "king", "queen", "man", "woman", "there"];
const vectors = [
  [2, 0.2, 0],
  [2, 0.4, 0],
  [1, 0, 3],
  [0.2, 2, 1],
  [0.2, 2, -1],
  [0.9, 2, 1],
  [0.9, 2, -1],
  [9, 9, 9],
];
const classes = ["animal", "animal", "place", "person", "person", "person", "person", "other"];
const asked = {
  asks: "word",
  word: "cat",
  place: [0, 0],
  analogy: ["man", "woman", "king"],
  shown: ["animal", "place", "person", "other"],
};

/** @param {object} [changes] */
async function open(changes) {
  const saved = {
    figure: "word-map",
    words,
    vectors,
    classes,
    directions: [
      [1, 0, 0],
      [0, 1, 0],
    ],
    analogies: [
      { label: "gender", words: ["man", "woman", "king"], expected: "queen" },
      { label: "a miss", words: ["cat", "dog", "man"], expected: "castle" },
    ],
    ...asked,
    example: asked,
    ...changes,
  };
  const { document, window, errors } = await openPage({ one: saved });
  const find = (/** @type {string} */ selector) => {
    const node = document.querySelector(selector);
    assert.ok(node, selector);
    return /** @type {HTMLInputElement} */ (node);
  };
  const ranking = (/** @type {string} */ kind) =>
    [...document.querySelectorAll(`.cb-${kind} li`)]
      .filter((row) => !(/** @type {HTMLElement} */ (row).hidden))
      .map((row) => row.querySelector(".cb-word")?.textContent);
  return {
    document,
    errors,
    find,
    ranking,
    text: (/** @type {string} */ selector) => find(selector).textContent ?? "",
    options: (/** @type {string} */ field) =>
      [...document.querySelectorAll(`${field} [role=option]`)].map((node) => node.textContent),
    press(/** @type {string} */ selector, /** @type {KeyboardEventInit} */ key) {
      const event = new window.KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...key });
      find(selector).dispatchEvent(event);
      return event;
    },
    type(/** @type {string} */ selector, /** @type {string} */ text, isComposing = false) {
      find(selector).focus();
      find(selector).value = text;
      find(selector).dispatchEvent(new window.InputEvent("input", { bubbles: true, isComposing }));
    },
  };
}

const FIELD = ".cb-ask input";
const third = ".cb-equation .cb-combobox:nth-of-type(5)";

test("it begins with the author's word; length sets the two rankings apart", async () => {
  const { ranking, text, errors } = await open();
  assert.deepEqual(ranking("cosine").slice(0, 2), ["dog", "there"]);
  assert.equal(ranking("product")[0], "there");
  assert.ok(!ranking("cosine").includes("cat"), "the word that asks is no answer");
  assert.match(text(".cb-asked"), /The query is cat/);
  const [, cosine, length, query, product] =
    text(".cb-product-of").match(/there: cosine ([\d.]+) × .* ([\d.]+) × .* ([\d.]+) = .* ([\d.]+)/) ?? [];
  assert.equal(query, "1.00");
  assert.ok(Math.abs(Number(cosine) * Number(length) - Number(product)) < 0.1);
  assert.deepEqual(errors, []);
});

test("a word is asked by typing it, by completing it, and by Enter", async () => {
  const { type, press, find, options, text } = await open();
  type(FIELD, "CA");
  assert.deepEqual(options(".cb-ask"), ["cat", "castle"]);
  assert.equal(find(FIELD).getAttribute("aria-expanded"), "true");
  press(FIELD, { key: "ArrowDown" });
  press(FIELD, { key: "ArrowDown" });
  const active = find(FIELD).getAttribute("aria-activedescendant");
  assert.equal(find(`#${active}`).textContent, "castle");
  press(FIELD, { key: "Enter" });
  assert.match(text(".cb-asked"), /The query is castle/);
  assert.equal(find(FIELD).getAttribute("aria-expanded"), "false");
  type(FIELD, "ｄｏｇ"); // full-width, from a Japanese keyboard
  assert.match(text(".cb-asked"), /The query is dog/);
  type(FIELD, "que");
  press(FIELD, { key: "Enter" });
  assert.match(text(".cb-asked"), /The query is queen/);
  type(FIELD, "ki");
  press(FIELD, { key: "Escape" });
  assert.equal(find(FIELD).value, "queen");
  /** @type {HTMLElement} */ (find(".cb-ask [role=option]")).click();
  assert.match(text(".cb-asked"), /The query is king/);
});

test("an unknown word is refused in words, with the nearest known, and changes nothing", async () => {
  const { type, find, text, options } = await open();
  type(FIELD, "kign<b>");
  assert.equal(find(FIELD).getAttribute("aria-invalid"), "true");
  assert.ok(options(".cb-ask").includes("king"));
  find(FIELD).blur();
  assert.match(text(".cb-complaint"), /“kign<b>” is not one of the 8 words.*king/);
  assert.equal(find(".cb-complaint").children.length, 0);
  assert.equal(find(FIELD).value, "cat");
  assert.match(text(".cb-asked"), /The query is cat/);
  type(FIELD, "");
  find(FIELD).blur();
  assert.equal(find(FIELD).value, "cat", "an empty field brings the word back");
  type(FIELD, "dog");
  assert.equal(text(".cb-complaint"), "");
});

test("an input method may finish composing first", async () => {
  const { type, text } = await open();
  type(FIELD, "dog", true);
  assert.match(text(".cb-asked"), /The query is cat/);
});

test("arrow keys move the query over the map", async () => {
  const { press, find, text, ranking } = await open();
  const place = () => find(".cb-query").getAttribute("aria-valuetext");
  const before = place();
  assert.equal(before, "1.00 across, 0.10 up");
  press(".cb-query", { key: "ArrowUp" });
  assert.equal(place(), "1.00 across, 0.20 up");
  assert.match(text(".cb-asked"), /a place on the map: 1.00 across, 0.20 up, and 0 along the other 1 /);
  assert.ok(ranking("cosine").includes("cat"), "a place is no word: cat is an answer again");
  for (let i = 0; i < 60; i++) press(".cb-query", { key: "ArrowRight", shiftKey: true });
  assert.ok(Number(place()?.split(" ")[0]) < 1.2, "the query stays on the map");
});

test("a query of nothing has no direction, and is told so", async () => {
  const { text } = await open({ asks: "place" });
  assert.match(text(".cb-product-of"), /has no direction/);
});

test("an analogy is asked with, its answer named, and a miss is told", async () => {
  const { find, text, type, ranking, document } = await open();
  const [gender, miss] = /** @type {NodeListOf<HTMLButtonElement>} */ (
    document.querySelectorAll(".cb-presets button")
  );
  gender.click();
  assert.match(text(".cb-asked"), /man is to woman as king is to queen. That is the answer/);
  assert.equal(text(".cb-answer"), "queen");
  assert.equal(gender.getAttribute("aria-pressed"), "true");
  for (const used of ["man", "woman", "king"]) assert.ok(!ranking("cosine").includes(used));
  miss.click();
  assert.match(text(".cb-asked"), /Hoped for was castle, which comes in place \d/);
  type(`${third} input`, "woman");
  assert.match(text(".cb-asked"), /^cat is to dog as woman is to \w+\.$/);
  find(FIELD).focus();
  type(FIELD, "cat");
  assert.match(text(".cb-asked"), /The query is cat/);
  const ask = find(".cb-equation button");
  assert.ok(!ask.hidden);
  ask.click();
  assert.match(text(".cb-asked"), /^cat is to dog as woman/);
});

test("classes that are not ticked leave the map and the rankings", async () => {
  const { document, ranking, text, find } = await open();
  const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (
    document.querySelectorAll(".cb-classes input")
  );
  assert.equal(boxes.length, 4);
  boxes[3].click();
  assert.ok(!ranking("product").includes("there"));
  assert.equal(document.querySelectorAll(".cb-mark:not(.cb-gone)").length, 7);
  for (const box of [...boxes].slice(0, 3)) box.click();
  assert.deepEqual(ranking("cosine"), []);
  assert.match(text(".cb-product-of"), /No class is ticked/);
  find(".cb-top button").click();
  assert.equal(document.querySelectorAll(".cb-mark:not(.cb-gone)").length, 8);
});

test("a row that is pointed at is marked in both rankings and on the map; a click asks with it", async () => {
  const { document, find, text, press } = await open();
  const row = /** @type {HTMLElement} */ (find(".cb-cosine li:nth-child(1) button"));
  row.focus();
  assert.equal(document.querySelectorAll(".cb-ranking .cb-marked").length, 2);
  assert.ok(!find(".cb-spot").classList.contains("cb-gone"));
  assert.match(text(".cb-product-of"), /^dog: /);
  press(".cb-cosine li:nth-child(1) button", { key: "ArrowDown" });
  assert.equal(document.activeElement, find(".cb-cosine li:nth-child(2) button"));
  assert.match(text(".cb-product-of"), /^there: /);
  row.click();
  assert.match(text(".cb-asked"), /The query is dog/);
});

test("reset brings the author's example back", async () => {
  const { type, press, find, text, ranking, errors } = await open();
  const before = [ranking("cosine"), ranking("product"), text(".cb-asked")];
  type(FIELD, "king");
  press(".cb-query", { key: "ArrowLeft" });
  find(".cb-classes input").click();
  find(".cb-top button").click();
  assert.deepEqual([ranking("cosine"), ranking("product"), text(".cb-asked")], before);
  assert.deepEqual(errors, []);
});

test("the picture in words follows when the reader has come to rest", async () => {
  const { press, find } = await open();
  const words = () => find(".cb-hidden[role=status]").textContent ?? "";
  assert.match(words(), /The query is cat.* Nearest by cosine: dog .* Largest dot products: there /);
  press(".cb-query", { key: "ArrowLeft" });
  assert.match(words(), /The query is cat/);
  await new Promise((wake) => setTimeout(wake, 750));
  assert.match(words(), /a place on the map/);
});
