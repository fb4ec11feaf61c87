import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { curve } from "../src/figures/attention-view/arcs.js";
import { fineShare, share } from "../src/figures/attention-view/heat.js";
import { weightsOf } from "../src/figures/attention-view/state.js";
import { routeFrom } from "../src/figures/attention-view/tour.js";
import { isJapanese } from "../src/lib/japanese.js";
import { compose } from "../src/lib/phrase.js";
import { toRows } from "../src/lib/tensor.js";
import { openPage } from "./page.js";

const given = {
  tokens: ["犬", "が", "walk"],
  readings: ["inu", "ga", ""],
  glosses: ["dog", "(subject)", ""],
};

/** What a notebook keeps of an `AttentionView`. @param {object} [changes] */
function saved(changes = {}) {
  const turned = { causal: false, temperature: 1, focus: 1 };
  return {
    figure: "attention-view",
    ...given,
    key_tokens: given.tokens,
    key_readings: [],
    key_glosses: [],
    cross: false,
    tour: false,
    scores: [[0, 0, 0], [Math.log(2), 0, 0], [5, 5, -5]],
    given_weights: null,
    example: turned,
    ...turned,
    ...changes,
  };
}

/** @param {object} [changes] */
async function open(changes) {
  const { document, window, errors } = await openPage({ one: saved(changes) });
  const all = (/** @type {string} */ selector) =>
    /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);
  const find = (/** @type {string} */ selector) => {
    const [node] = all(selector);
    assert.ok(node, selector);
    return node;
  };
  const text = (/** @type {HTMLElement} */ node) => node.textContent;
  return {
    document,
    window,
    errors,
    all,
    find,
    weights: () => all(".cb-weight").map(text),
    row: (/** @type {number} */ i) => all(`.cb-matrix tbody tr:nth-child(${i + 1}) td`).map(text),
    chosen: () => all("[role=radio]").map((node) => node.getAttribute("aria-checked")).indexOf("true"),
    press(/** @type {string} */ key, /** @type {KeyboardEventInit} */ more = {}) {
      const options = { key, bubbles: true, cancelable: true, ...more };
      document.activeElement?.dispatchEvent(new window.KeyboardEvent("keydown", options));
    },
    slide(/** @type {string} */ value) {
      const input = /** @type {HTMLInputElement} */ (find("input[type=range]"));
      input.value = value;
      input.dispatchEvent(new window.Event("input", { bubbles: true }));
    },
  };
}

test("the weights are PyTorch's, as Python's figure computes them", () => {
  const cases = JSON.parse(readFileSync(new URL("fixtures/attention-view.json", import.meta.url), "utf8"));
  assert.ok(cases.length >= 40);
  for (const { scores, given_weights, causal, temperature, weights } of cases) {
    const queries = weights.map(() => ({ text: "q", reading: "", gloss: "" }));
    const keys = weights[0].map(() => ({ text: "k", reading: "", gloss: "" }));
    const found = weightsOf(
      { scores, causal, temperature, focus: 0 },
      { queries, keys, cross: !causal, weights: given_weights, tour: false },
    );
    toRows(found).forEach((row, i) =>
      row.forEach((weight, j) => {
        const error = Math.abs(weight - weights[i][j]);
        assert.ok(error <= 1e-5, `[${i}, ${j}] at temperature ${temperature}: ${weight}`);
      }),
    );
  }
});

test("before anyone touches it: the weights of the chosen token, and all weights", async () => {
  const { weights, row, chosen, all, errors } = await open();
  assert.equal(chosen(), 1);
  assert.deepEqual(weights(), [".50", ".25", ".25"]);
  assert.deepEqual(row(1), [".50", ".25", ".25"]);
  assert.deepEqual(row(0), [".33", ".33", ".33"]);
  const widths = all(".cb-arc").map((arc) => Number(arc.getAttribute("stroke-width")));
  assert.ok(widths[0] > widths[1]);
  assert.equal(widths[1], widths[2]);
  assert.deepEqual(errors, []);
});

test("Japanese is marked, with reading and gloss; nothing typed becomes markup", async () => {
  const tokens = ["犬", "<b>x</b>", " "];
  const { all, find } = await open({ tokens, key_tokens: tokens });
  const words = all("[role=radio] .cb-word span");
  assert.deepEqual(words.map((node) => node.getAttribute("lang")), ["ja", null, null]);
  assert.deepEqual(words.map((node) => node.textContent), ["犬", "<b>x</b>", "␣"]);
  assert.equal(find("[role=radio]").textContent, "犬 inu dog");
});

test("click and arrow keys choose the token that asks, with one stop of the tab key", async () => {
  const { all, chosen, weights, press, document, find } = await open();
  all("[role=radio]")[2].click();
  assert.equal(chosen(), 2);
  assert.deepEqual(weights(), [".50", ".50", "<.01"]);
  all("[role=radio]")[2].focus();
  press("ArrowRight");
  assert.equal(chosen(), 0);
  press("ArrowLeft");
  assert.equal(chosen(), 2);
  press("ArrowUp");
  assert.equal(chosen(), 1);
  press("ArrowUp", { ctrlKey: true });
  press("x");
  assert.equal(chosen(), 1);
  press("End");
  assert.equal(document.activeElement, all("[role=radio]")[2]);
  assert.deepEqual(all("[role=radio]").map((node) => node.tabIndex), [-1, -1, 0]);
  find(".cb-matrix tbody tr").click();
  assert.equal(chosen(), 0);
});

test("temperature 0 is the hard look-up, in which equals share", async () => {
  const { slide, row, find } = await open();
  slide("0");
  assert.deepEqual(row(1), ["1", "0", "0"]);
  assert.deepEqual(row(2), [".50", ".50", "0"]);
  assert.match(find("output").textContent ?? "", /hard/);
  slide("4");
  assert.deepEqual(row(1), [".37", ".31", ".31"]);
});

test("the future is hidden, its arcs too; reset brings the author's picture back", async () => {
  const { find, all, row, chosen, slide } = await open();
  const box = /** @type {HTMLInputElement} */ (find("input[type=checkbox]"));
  box.click();
  assert.deepEqual(row(0), ["1", "0", "0"]);
  assert.deepEqual(row(1), [".67", ".33", "0"]);
  assert.deepEqual(all(".cb-arc").map((arc) => arc.getAttribute("visibility")), ["visible", "visible", "hidden"]);
  slide("2");
  all("[role=radio]")[0].click();
  find(".cb-controls > button").click();
  assert.deepEqual([chosen(), box.checked], [1, false]);
  assert.deepEqual(row(1), [".50", ".25", ".25"]);
});

test("no dead control: weights have no temperature, cross-attention no future", async () => {
  const rows = [[1, 0, 0], [0.2, 0.3, 0.5], [0, 0, 0]];
  const alone = await open({ scores: null, given_weights: rows });
  assert.equal(alone.all("input[type=range]").length, 0);
  assert.deepEqual(alone.row(1), [".20", ".30", ".50"]);
  alone.find("input[type=checkbox]").click();
  assert.deepEqual(alone.row(1), [".40", ".60", "0"]);
  alone.all("[role=radio]")[2].click();
  assert.match(alone.find(".cb-takes").textContent ?? "", /walk may attend to nothing/);

  const two = { key_tokens: ["a", "b"], scores: [[0, 0], [1, 0], [0, 1]], cross: true };
  const cross = await open(two);
  assert.equal(cross.all("input[type=checkbox]").length, 0);
  assert.equal(cross.all(".cb-keys li").length, 2);
  assert.deepEqual(cross.weights(), [".73", ".27"]);
});

test("a token under the pointer or in focus is marked everywhere, a pair in the matrix alone", async () => {
  const { all, window, find, errors } = await open();
  const over = (/** @type {Element} */ node) =>
    node.dispatchEvent(new window.MouseEvent("pointerover", { bubbles: true }));
  over(find(".cb-keys li:nth-child(1) .cb-weight"));
  assert.equal(all("[role=radio].cb-marked").length, 1);
  assert.equal(all(".cb-arc.cb-marked").length, 1);
  assert.equal(all("td.cb-marked").length, 5);
  assert.equal(all("th.cb-marked").length, 2);
  over(find(".cb-matrix tbody tr:nth-child(3) td:nth-child(2)"));
  assert.equal(all("td.cb-marked").length, 1);
  assert.match(find(".cb-takes").textContent ?? "", /^walk takes .50 from 犬 \(inu, dog\)\.$/);
  find(".cb-figure > div").dispatchEvent(new window.MouseEvent("pointerleave"));
  assert.equal(all(".cb-marked").length, 0);
  all("[role=radio]")[1].focus();
  assert.equal(all("[role=radio].cb-marked").length, 1);
  assert.deepEqual(errors, []);
});

test("the picture in words follows when the reader has come to rest", async () => {
  const { find, all } = await open();
  const status = find("[role=status]");
  const rest = (/** @type {number} */ ms) => new Promise((wake) => setTimeout(wake, ms));
  await rest(20);
  assert.equal(
    status.textContent,
    "が (ga, subject) takes .50 from 犬 (inu, dog), .25 from が (ga, subject), .25 from walk.",
  );
  assert.equal(status.querySelectorAll("[lang=ja]").length, 3);
  all("[role=radio]")[0].click();
  assert.match(status.textContent ?? "", /^が/);
  await rest(700);
  assert.match(status.textContent ?? "", /^犬 \(inu, dog\) takes .33 from/);
});

test("weights as they are written, and phrases with elements in them", () => {
  assert.deepEqual([1, 0.996, 0.454, 0.05, 0.004, 0].map(share), ["1", "1", ".45", ".05", "0", "0"]);
  assert.deepEqual([0.454, 0.01, 0.008, 0.004, 0].map(fineShare), [".45", ".01", "<.01", "<.01", "0"]);
  assert.deepEqual(compose("{a} and {b}.", { a: "x", b: ["y", "z"] }), ["x", " and ", "y", "z", "."]);
  assert.throws(() => compose("{a}", {}), /asks for a/);
  assert.deepEqual(["犬", "。", "カ", "a", "é"].map(isJapanese), [true, true, true, false, false]);
});

test("curves end at their tokens in every layout", () => {
  const counts = { queries: 4, keys: 4 };
  const ends = (/** @type {string} */ path) => [...path.matchAll(/-?[\d.]+/g)].map(Number);
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j < 4; j++) {
      const list = ends(curve("list", i, j, counts));
      assert.deepEqual([list.slice(0, 2), list.slice(-2)], [[0, i + 0.5], [1, j + 0.5]]);
      for (const layout of /** @type {const} */ (["row", "rows"])) {
        const path = ends(curve(layout, i, j, counts));
        assert.equal(path.length, 8);
        assert.equal(Math.floor(path[0] * 4), i);
        assert.equal(Math.floor(path[6] * 4), j);
      }
    }
  }
});

test("a tour goes along the heaviest weights to new tokens, and comes back", () => {
  const weights = [[0, 0.9, 0.1], [0.9, 0, 0.1], [1, 0, 0]];
  assert.deepEqual(routeFrom(0, 3, (i) => weights[i]), [1, 2, 0]);
  assert.deepEqual(routeFrom(2, 4, () => null), [3, 0, 2]);
  assert.deepEqual(routeFrom(0, 1, () => [1]), [0]);
});
