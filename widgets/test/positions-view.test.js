import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { arc } from "../src/figures/positions-view/dials.js";
import { degrees } from "../src/figures/positions-view/sentences.js";
import { look, shownPairs } from "../src/figures/positions-view/state.js";
import { pathsByShade, shade } from "../src/figures/positions-view/table.js";
import { openPage } from "./page.js";

const file = new URL("fixtures/positions-view.json", import.meta.url);
/** @type {{ place: number, shift: number, width: number, base: number, first: number[], second: number[], dot: number }[]} */
const examples = JSON.parse(readFileSync(file, "utf8"));

const example = { place: 10, shift: 3, width: 64, base: 10000 };

/** @param {object} [changes] */
async function open(changes) {
  const state = { figure: "positions-view", ...example, example, ...changes };
  const { document, window, errors } = await openPage({ one: state });
  const find = (/** @type {string} */ selector) => {
    const node = document.querySelector(selector);
    assert.ok(node, selector);
    return /** @type {HTMLInputElement} */ (node);
  };
  const texts = (/** @type {string} */ selector) =>
    [...document.querySelectorAll(selector)].map((node) => node.textContent ?? "");
  return {
    errors,
    find,
    texts,
    sentences: () => texts(".cb-sentences p"),
    /** @param {number} index @param {number} value */
    slide(index, value) {
      const range = /** @type {HTMLInputElement} */ (document.querySelectorAll(".cb-range")[index]);
      range.value = String(value);
      range.dispatchEvent(new window.Event("input", { bubbles: true }));
    },
    dials: () => [...document.querySelectorAll("li")].filter((node) => !node.hidden),
    /** @param {number} y */
    press(y) {
      const node = find("svg.cb-table");
      Object.assign(node, { setPointerCapture() {} });
      const event = new window.MouseEvent("pointerdown", { clientY: y, button: 0, bubbles: true });
      node.dispatchEvent(Object.assign(event, { isPrimary: true }));
    },
  };
}

test("rows, turns and dot products agree with the Transformer's table", () => {
  assert.ok(examples.length >= 4);
  for (const one of examples) {
    const found = look(one);
    const [first, second] = [found.rows[one.place], found.rows[one.place + one.shift]];
    first.forEach((x, i) => assert.ok(Math.abs(x - one.first[i]) < 1e-5, `${i}`));
    second.forEach((x, i) => assert.ok(Math.abs(x - one.second[i]) < 1e-5, `${i}`));
    assert.ok(Math.abs(found.dot - one.dot) < 1e-4);
    assert.ok(found.error < 1e-12, "a turn of each pair makes the second place of the first");
  }
});

test("the dot product depends on the distance alone", () => {
  for (const base of [2, 100, 10000]) {
    const dots = [0, 5, 47].map((place) => look({ place, shift: 7, width: 22, base }).dot);
    assert.ok(Math.max(...dots) - Math.min(...dots) < 1e-12);
  }
});

test("cells of a shade are drawn together, and all of them", () => {
  assert.deepEqual([1, 0.52, 0.09, -0.11, -1].map(shade), [5, 3, 0, -1, -5]);
  const paths = pathsByShade([[1, 0], [1, -1], [-1, -1]]);
  assert.deepEqual(paths.get(5), ["M0 0h1V2h-1z"]);
  assert.deepEqual(paths.get(-5), ["M0 2h1V3h-1z", "M1 1h1V3h-1z"]);
});

test("angles are said within a turn, and drawn the way they go", () => {
  assert.deepEqual([0, Math.PI, 2 * Math.PI + 0.5].map(degrees), [0, 180, 29]);
  assert.equal(arc(1, 0), "");
  assert.match(arc(0, 1), /^M36\.0 23\.0A13 13 0 0 1 /);
  assert.match(arc(0, 4), /A13 13 0 1 1 /);
});

test("a few pairs are all shown, of many the fastest, the slowest and some between", () => {
  assert.deepEqual(shownPairs(3, 8), [0, 1, 2]);
  const some = shownPairs(32, 8);
  assert.deepEqual([some.length, some[0], some[7]], [8, 0, 31]);
  assert.equal(new Set(some).size, 8);
});

test("the page says what the sliders ask, and Reset brings the example back", async () => {
  const { sentences, slide, dials, find, texts, errors } = await open();
  assert.equal(
    sentences()[0],
    "Places 10 and 13 have the dot product 25.59, of at most 32. So have places 47 and 50: only the distance counts.",
  );
  assert.match(sentences()[1], /turns the fastest pair by 172°.*Place 10, turned so, is place 13; the largest difference is 0\.000\.$/);
  assert.equal(dials().length, 8);
  const curve = find(".cb-curve").getAttribute("d");
  slide(0, 47);
  assert.match(sentences()[0], /^Places 47 and 50 have the dot product 25\.59.*So have places 0 and 3/);
  assert.notEqual(find(".cb-curve").getAttribute("d"), curve);
  slide(1, 0);
  assert.match(sentences()[0], /^Places 47 and 47 have the dot product 32\.00/);
  slide(2, 4);
  assert.equal(dials().length, 2);
  assert.match(sentences()[2], /^The slowest pair takes 628 places/);
  slide(3, 1);
  assert.match(sentences()[2], /takes 20 places .* fewer than the 64/);
  assert.equal(texts(".cb-output").at(-1), "10");
  find("button").click();
  assert.match(sentences()[0], /^Places 10 and 13 .* 25\.59/);
  assert.deepEqual(errors, []);
});

test("a press in the table chooses the place, never one whose second is outside", async () => {
  const { press, sentences } = await open();
  press(4 + 20 * 5 + 1);
  assert.match(sentences()[0], /^Places 20 and 23/);
  press(9999);
  assert.match(sentences()[0], /^Places 47 and 50/);
  press(-5);
  assert.match(sentences()[0], /^Places 0 and 3/);
});

test("the figure in words", async () => {
  const { texts } = await open();
  assert.match(texts("p[aria-live]")[0], /^Width 64, base 10,000\. Places 10 and 13/);
});
