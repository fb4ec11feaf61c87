import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { amount, power } from "../src/figures/gradient-bench/sentences.js";
import { PRESETS, createNet, measure, presetOf } from "../src/figures/gradient-bench/state.js";
import { backpropagateThroughTime, rnnStates } from "../src/lib/recurrent.js";
import { matrix, toRows } from "../src/lib/tensor.js";
import { openPage } from "./page.js";

const examples = JSON.parse(
  readFileSync(new URL("fixtures/recurrent.json", import.meta.url), "utf8"),
);
const { data, curves } = examples.bench;

/** @param {any} actual @param {any} expected @param {string} what @param {number} [off] */
function close(actual, expected, what, off = 1e-6) {
  if (!Array.isArray(expected)) {
    const error = Math.abs(actual - expected) / Math.max(1e-300, Math.abs(expected), off);
    assert.ok(error < off, `${what}: ${actual}, Python ${expected}`);
    return;
  }
  assert.equal(actual.length, expected.length, what);
  expected.forEach((one, i) => close(actual[i], one, `${what}[${i}]`, off));
}

test("states and gradients by hand are PyTorch's", () => {
  assert.ok(examples.gradients.length >= 4);
  for (const { cell, inputs, initial, direction, outputs, gradients } of examples.gradients) {
    const weights = {
      weight_ih: matrix(cell.weight_ih),
      weight_hh: matrix(cell.weight_hh),
      bias_ih: cell.bias_ih,
      bias_hh: cell.bias_hh,
    };
    const steps = inputs.map(matrix);
    const states = rnnStates(weights, steps, matrix(initial));
    close(states.slice(1).map(toRows), outputs, "states");
    const ends = direction.map((/** @type {number[][]} */ rows, /** @type {number} */ t) =>
      t ? matrix(rows) : null,
    );
    const found = backpropagateThroughTime(weights, steps, ends, states);
    close(toRows(found.weight_ih), gradients.weight_ih, "weight_ih");
    close(toRows(found.weight_hh), gradients.weight_hh, "weight_hh");
    close(found.bias, gradients.bias_ih, "bias_ih");
    close(found.bias, gradients.bias_hh, "bias_hh");
    close(found.inputs.map(toRows), gradients.inputs, "inputs");
    close(toRows(found.initial), gradients.initial, "initial");
  }
});

test("the bench's curves are those of Python's figure, over seventy decades", () => {
  const net = createNet(data);
  assert.ok(curves.length >= 6);
  for (const { state, curve, half, norm } of curves) {
    const found = measure(net, state);
    assert.equal(found.curve.length, state.length);
    found.curve.forEach((share, distance) => {
      const error = Math.abs(share / curve[distance] - 1);
      assert.ok(error < 1e-6, `${JSON.stringify(state)} at ${distance}: ${share}, ${curve[distance]}`);
    });
    assert.equal(found.half, half);
    close(found.norm, norm, "norm");
  }
});

test("a preset is known by its settings, and numbers of any size can be read", () => {
  assert.equal(presetOf({ ...PRESETS.keep, distance: 3 }), "keep");
  assert.equal(presetOf({ ...PRESETS.keep, distance: 3, radius: 1.05 }), undefined);
  assert.equal(power(-12), "10⁻¹²");
  const plain = (/** @type {number} */ x) => amount(x).replaceAll("\u00a0", " ");
  assert.deepEqual([0, 0.5, 12.3, 999].map(plain), ["0", "0.50", "12", "999"]);
  assert.deepEqual([9.99e-9, 1234, 2.5e-3].map(plain), ["1.0 · 10⁻⁸", "1.2 · 10³", "2.5 · 10⁻³"]);
});

const asked = { radius: 0.9, input_size: 0.3, length: 128, weights: "random", distance: 20 };

/** @param {object} [changes] */
async function open(changes) {
  const saved = { figure: "gradient-bench", ...data, ...asked, example: asked, ...changes };
  const { document, window, errors } = await openPage({ one: saved });
  const find = (/** @type {string} */ selector) => {
    const node = document.querySelector(selector);
    assert.ok(node, selector);
    return /** @type {HTMLInputElement} */ (node);
  };
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (
    document.querySelectorAll(".cb-presets button")
  );
  const sliders = /** @type {NodeListOf<HTMLInputElement>} */ (
    document.querySelectorAll(".cb-range")
  );
  return {
    errors,
    find,
    button: (/** @type {string} */ name) => {
      const found = [...buttons].find((one) => one.textContent === name);
      assert.ok(found, name);
      return found;
    },
    /** Distance, radius, inputs, length. @param {number} which @param {number} value */
    slide(which, value) {
      sliders[which].value = String(value);
      sliders[which].dispatchEvent(new window.Event("input", { bubbles: true }));
    },
    value: (/** @type {number} */ which) => Number(sliders[which].value),
    lines: () => [...document.querySelectorAll(".cb-readings p")].map((one) => one.textContent ?? ""),
  };
}

test("it is legible before anyone touches it", async () => {
  const { lines, find, button, errors } = await open();
  const net = createNet(data);
  const { curve } = measure(net, /** @type {any} */ (asked));
  assert.ok(lines()[0].startsWith(`At distance 20 the gradient is ${amount(curve[20])} times`));
  assert.equal(lines()[1], "Less than half is left from distance 3.");
  assert.equal(button("Vanish").getAttribute("aria-pressed"), "true");
  assert.match(find(".cb-curve").getAttribute("d") ?? "", /^M[\d.]+ [\d.]+L/);
  assert.match(find(".cb-chart").getAttribute("aria-label") ?? "", /At distance 20 .* half/);
  assert.deepEqual(errors, []);
});

test("presets, sliders and weights change the curve; Reset brings the author's back", async () => {
  const { lines, find, button, slide, value } = await open();
  const before = find(".cb-curve").getAttribute("d");
  button("Explode").click();
  assert.equal(lines()[1], "Half or more is left at all 127 steps back.");
  assert.match(lines()[3], /clipping at 1 would multiply it by/);
  assert.equal(find(".cb-half-line").getAttribute("d"), "");
  slide(2, 1.5);
  assert.match(lines()[1], /Less than half is left from distance \d+\./);
  assert.equal(button("Explode").getAttribute("aria-pressed"), "false");
  button("Keep").click();
  assert.equal(find('[value="orthogonal"]').checked, true);
  assert.match(lines()[1], /from distance (8|9|10)\d\./);
  find('[value="random"]').click();
  assert.match(lines()[1], /from distance \d\d?\./);
  slide(3, 8);
  slide(0, 100);
  assert.equal(value(0), 7, "the last of eight steps");
  assert.match(lines()[0], /^At distance 7 /);
  button("Reset").click();
  assert.equal(find(".cb-curve").getAttribute("d"), before);
  assert.deepEqual([0, 1, 2, 3].map(value), [20, 0.9, 0.3, 128]);
});

test("reading off measures nothing anew", async () => {
  const { slide, find, lines } = await open();
  const curve = find(".cb-curve").getAttribute("d");
  const dot = find(".cb-reading-dot").getAttribute("cx");
  slide(0, 90);
  assert.match(lines()[0], /^At distance 90 /);
  assert.equal(find(".cb-curve").getAttribute("d"), curve);
  assert.notEqual(find(".cb-reading-dot").getAttribute("cx"), dot);
});
