import assert from "node:assert/strict";
import { test } from "node:test";
import { hardLookup, maskedSoftmax, scaledDotProductAttention } from "../src/lib/attention.js";
import { matmul, matrix, toRows, transpose } from "../src/lib/tensor.js";

test("matmul and transpose of a small example", () => {
  const a = matrix([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  assert.deepEqual(toRows(matmul(a, transpose(a))), [
    [14, 32],
    [32, 77],
  ]);
  assert.deepEqual(toRows(transpose(a)), [
    [1, 4],
    [2, 5],
    [3, 6],
  ]);
});

test("shapes that do not fit are named", () => {
  assert.throws(() => matmul(matrix([[1, 2]]), matrix([[1, 2]])), /\(1, 2\) and \(1, 2\)/);
  assert.throws(() => matrix([[1, 2], [3]]), /row 1 has 1 numbers/);
  assert.throws(() => maskedSoftmax(matrix([[1, 2]]), [[true]]), /does not fit scores \(1, 2\)/);
});

test("softmax survives scores that would overflow an exponential", () => {
  assert.deepEqual(toRows(maskedSoftmax(matrix([[1000, 0, -1000]]))), [[1, 0, 0]]);
});

test("a fully masked query gets zeros, not NaN", () => {
  const scores = matrix([[1, 2]]);
  const nobody = [[false, false]];
  assert.deepEqual(toRows(maskedSoftmax(scores, nobody)), [[0, 0]]);
  assert.deepEqual(toRows(hardLookup(scores, nobody)), [[0, 0]]);
});

test("the hard look-up takes the best allowed key, and shares between equals", () => {
  const scores = matrix([[3, 1, 3, 2]]);
  assert.deepEqual(toRows(hardLookup(scores)), [[0.5, 0, 0.5, 0]]);
  assert.deepEqual(toRows(hardLookup(scores, [[false, true, false, true]])), [[0, 0, 0, 1]]);
  // 0.1 * 3 and 0.3 * 1 differ in their last digit only
  assert.deepEqual(toRows(hardLookup(matrix([[0.1 * 3, 0.3]]))), [[0.5, 0.5]]);
});

test("the hard look-up is the limit of small temperatures", () => {
  const [query, key] = [matrix([[1, 2]]), matrix([[1, 1], [2, 0], [0, 1.4]])];
  const value = matrix([[1], [2], [3]]);
  const cold = scaledDotProductAttention(query, key, value, { temperature: 1e-3 });
  const hard = scaledDotProductAttention(query, key, value, { temperature: 0 });
  toRows(cold.weights)[0].forEach((weight, i) => {
    assert.ok(Math.abs(weight - toRows(hard.weights)[0][i]) < 1e-6);
  });
});
