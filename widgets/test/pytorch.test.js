/** The arithmetic against PyTorch: pytest writes the examples and names their file. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { maskedSoftmax, scaledDotProductAttention } from "../src/lib/attention.js";
import { matmul, matrix, toRows } from "../src/lib/tensor.js";
import { lookUp } from "../src/figures/soft-dictionary/state.js";

const file = process.env.PYTORCH_EXAMPLES;
const options = { skip: file ? false : "run by pytest tests/javascript, which makes the examples" };
const examples = file ? JSON.parse(readFileSync(file, "utf8")) : {};
const TOLERANCE = 1e-5;

/** @param {number[][]} actual @param {number[][]} expected @param {string} what */
function close(actual, expected, what) {
  assert.equal(actual.length, expected.length, what);
  actual.forEach((row, i) => {
    assert.equal(row.length, expected[i].length, what);
    row.forEach((x, j) => {
      const error = Math.abs(x - expected[i][j]) / Math.max(1, Math.abs(expected[i][j]));
      assert.ok(error <= TOLERANCE, `${what} at [${i}, ${j}]: ${x}, PyTorch ${expected[i][j]}`);
    });
  });
}

test("matmul", options, () => {
  assert.ok(examples.matmul.length >= 10);
  for (const { a, b, product } of examples.matmul) {
    close(toRows(matmul(matrix(a), matrix(b))), product, "product");
  }
});

test("masked softmax", options, () => {
  assert.ok(examples.softmax.length >= 10);
  for (const { scores, mask, weights } of examples.softmax) {
    close(toRows(maskedSoftmax(matrix(scores), mask)), weights, "weights");
  }
});

test("attention, with masks and temperatures", options, () => {
  assert.ok(examples.attention.length >= 20);
  for (const { query, key, value, mask, scale, temperature, weights, output } of examples.attention) {
    const found = scaledDotProductAttention(matrix(query), matrix(key), matrix(value), {
      mask,
      scale: scale ?? undefined,
      temperature,
    });
    close(toRows(found.weights), weights, `weights at temperature ${temperature}`);
    close(toRows(found.output), output, `output at temperature ${temperature}`);
  }
});

test("the soft dictionary, as Python's figure computes it", options, () => {
  assert.ok(examples.dictionary.length >= 20);
  for (const { state, scores, weights, output } of examples.dictionary) {
    const found = lookUp(state);
    close([found.scores], [scores], "scores");
    close([found.weights], [weights], `weights at temperature ${state.temperature}`);
    close([[found.output]], [[output]], "output");
  }
});
