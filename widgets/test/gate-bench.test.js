import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { percent } from "../src/figures/gate-bench/sentences.js";
import { changed, consistent } from "../src/figures/gate-bench/state.js";
import { leftOfFirst, runGates } from "../src/lib/gates.js";
import { openPage } from "./page.js";

const file = new URL("fixtures/gate-bench.json", import.meta.url);
/** @type {(import("../src/lib/gates.js").Rows & { cell: number[], hidden: number[] })[]} */
const examples = JSON.parse(readFileSync(file, "utf8"));

const rows = {
  candidate: [0.8, -0.5, 0.6, 0.4],
  input_gate: [1, 0, 0, 0],
  forget_gate: [1, 1, 0.5, 1],
  output_gate: [1, 1, 1, 0],
};
const count = { candidate: [1, 1, 0, 1], input_gate: [1, 1, 1, 1], forget_gate: [1, 1, 1, 1], output_gate: [1, 1, 1, 1] };
const example = { ...rows, step: 1, every: true };

/** @param {object} [changes] */
async function open(changes) {
  const presets = [{ label: "Keep", ...rows }, { label: "Count", ...count }];
  const state = { figure: "gate-bench", ...example, presets, example, ...changes };
  const { document, window, errors } = await openPage({ one: state });
  const find = (/** @type {string} */ selector) => {
    const node = document.querySelector(selector);
    assert.ok(node, selector);
    return /** @type {HTMLInputElement} */ (node);
  };
  const texts = (/** @type {string} */ selector) =>
    [...document.querySelectorAll(selector)].map((node) => node.textContent ?? "");
  /** @param {HTMLInputElement} node @param {string | number} value @param {string} event */
  function set(node, value, event) {
    node.value = String(value);
    node.dispatchEvent(new window.Event(event, { bubbles: true }));
  }
  return {
    errors,
    find,
    texts,
    sums: () => texts(".cb-sums p"),
    button(/** @type {string} */ label) {
      const found = [...document.querySelectorAll("button")].find((one) => one.textContent === label);
      assert.ok(found, label);
      return found;
    },
    /** @param {string} row @param {number} value */
    slide: (row, value) => set(find(`.cb-row.cb-${row} .cb-range`), value, "input"),
    /** @param {string} row @param {string} text */
    type: (row, text) => set(find(`.cb-row.cb-${row} input[type=text]`), text, "change"),
    /** @param {number} step */
    go: (step) => set(find(".cb-controls > .cb-slider .cb-range"), step, "input"),
    /** @param {number} index */
    scope(index) {
      const radio = /** @type {HTMLInputElement} */ (document.querySelectorAll("[type=radio]")[index]);
      radio.checked = true;
      radio.dispatchEvent(new window.Event("change", { bubbles: true }));
    },
    /** @param {number} x */
    click: (x) => find("svg.cb-steps").dispatchEvent(new window.MouseEvent("click", { clientX: x, bubbles: true })),
    cells: () => [...document.querySelectorAll(".cb-line-cell circle")],
  };
}

test("steps agree with PyTorch's LSTM cell", () => {
  assert.ok(examples.length >= 4);
  for (const one of examples) {
    const { cell, hidden } = runGates(one);
    one.cell.forEach((value, t) => assert.ok(Math.abs(value - cell[t]) < 1e-9));
    one.hidden.forEach((value, t) => assert.ok(Math.abs(value - hidden[t]) < 1e-9));
  }
});

test("what is left of the first step is the product of the later forget gates", () => {
  assert.deepEqual(leftOfFirst(rows), { wrote: 0.8, share: 0.5, left: 0.4 });
  assert.equal(leftOfFirst({ ...rows, input_gate: [0, 1, 1, 1] }).wrote, 0);
});

test("shares are said with two digits, however small", () => {
  assert.deepEqual([1, 0.5688, 0.0314, 0.00123, 1e-7, 0].map(percent), [
    "100%", "57%", "3.1%", "0.12%", "< 0.01%", "0%",
  ]);
});

test("a gate's number goes to all steps or to one, a candidate's always to one", () => {
  assert.deepEqual(changed(example, "forget_gate", 0.2), [0.2, 0.2, 0.2, 0.2]);
  assert.deepEqual(changed({ ...example, every: false, step: 3 }, "forget_gate", 0.2), [1, 1, 0.2, 1]);
  assert.deepEqual(changed(example, "candidate", 0.2), [0.2, -0.5, 0.6, 0.4]);
});

test("traits that arrive one by one are waited for", () => {
  assert.ok(consistent(example));
  assert.ok(!consistent({ ...example, candidate: [1, 1] }));
  assert.ok(!consistent({ ...example, step: 5 }));
});

test("the page shows how the chosen step was made, and what is left of the first", async () => {
  const { sums, go, find, texts, errors } = await open();
  assert.deepEqual(sums(), [
    "cell = 1.00 × 0.00 + 1.00 × 0.80 = 0.80",
    "hidden state = 1.00 × tanh(0.80) = 0.66",
    "Step 1 wrote 0.80. The forget gates of steps 2 to 4 leave 50% of it: 0.40.",
  ]);
  assert.equal(texts(".cb-bar").length, 16);
  go(3);
  assert.equal(sums()[0], "cell = 0.50 × 0.80 + 0.00 × 0.60 = 0.40");
  assert.equal(find(".cb-controls output").textContent, "3 of 4");
  assert.deepEqual(texts(".cb-scope span"), ["all steps", "only step 3"]);
  go(2);
  assert.equal(sums()[0], "cell = 1.00 × 0.80 + 0.00 × (−0.50) = 0.80");
  assert.deepEqual(errors, []);
});

test("sliders set all steps, or only the chosen one", async () => {
  const { slide, scope, go, sums } = await open();
  slide("forget_gate", 0.5);
  assert.match(sums()[2], /leave 13% of it: 0\.10/);
  slide("forget_gate", 1);
  scope(1);
  go(4);
  slide("forget_gate", 0);
  assert.match(sums()[2], /leave 0% of it: 0\.00/);
  assert.equal(sums()[0], "cell = 0.00 × 0.80 + 0.00 × 0.40 = 0.00");
  slide("candidate", -1);
  slide("input_gate", 0.5);
  assert.equal(sums()[0], "cell = 0.00 × 0.80 + 0.50 × (−1.00) = −0.50");
  go(1);
  slide("input_gate", 0);
  assert.match(sums()[2], /^Step 1 wrote nothing/);
});

test("typed numbers count, full-width ones too, and others are refused with a word", async () => {
  const { type, sums, find, texts, go } = await open();
  type("candidate", "−０.２５");
  assert.equal(sums()[0], "cell = 1.00 × 0.00 + 1.00 × (−0.25) = −0.25");
  for (const wrong of ["1.5", "-0.1", "<b>x</b>", ""]) {
    type("forget_gate", wrong);
    assert.equal(find(".cb-complaint").textContent, "forget gate takes a number from 0 to 1.");
    assert.equal(find(".cb-forget_gate input[type=text]").getAttribute("aria-invalid"), "true");
    assert.equal(sums()[0], "cell = 1.00 × 0.00 + 1.00 × (−0.25) = −0.25");
  }
  assert.equal(texts(".cb-figure b").length, 0);
  type("forget_gate", "0.5");
  assert.equal(find(".cb-complaint").textContent, "");
  assert.equal(find(".cb-forget_gate input[type=text]").getAttribute("aria-invalid"), null);
  assert.equal(sums()[0], "cell = 0.50 × 0.00 + 1.00 × (−0.25) = −0.25");
  type("forget_gate", "2");
  go(2);
  type("input_gate", "1");
  assert.equal(find(".cb-forget_gate input[type=text]").value, "0.5", "a refused number gives way");
});

test("presets, and Reset", async () => {
  const { button, slide, sums, cells, click, find } = await open();
  assert.equal(button("Keep").getAttribute("aria-pressed"), "true");
  button("Count").click();
  assert.equal(button("Count").getAttribute("aria-pressed"), "true");
  assert.equal(button("Keep").getAttribute("aria-pressed"), "false");
  click(9999);
  assert.equal(sums()[0], "cell = 1.00 × 2.00 + 1.00 × 1.00 = 3.00");
  assert.equal(cells().length, 4);
  slide("output_gate", 0);
  assert.match(sums()[1], /= 0\.00$/);
  assert.equal(button("Count").getAttribute("aria-pressed"), "false");
  button("Reset").click();
  assert.equal(find(".cb-controls output").textContent, "1 of 4");
  assert.match(sums()[2], /leave 50%/);
});

test("a click in the picture chooses the step, and the words follow", async () => {
  const { click, find, texts } = await open();
  click(-5);
  assert.equal(find(".cb-controls output").textContent, "1 of 4");
  click(9999);
  assert.equal(find(".cb-controls output").textContent, "4 of 4");
  assert.match(texts("p[aria-live]")[0], /^Step 1 of 4: offered 0\.80, input gate 1\.00/);
});
