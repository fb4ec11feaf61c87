import assert from "node:assert/strict";
import { test } from "node:test";
import { clamp, format, parse, roundTo, short } from "../src/lib/numbers.js";
import { createStore } from "../src/lib/store.js";
import { linear, shorten, textWidth } from "../src/lib/svg.js";
import { connect } from "../src/lib/traits.js";
import { fill } from "../src/lib/words.js";
import { createModel } from "../src/page/model.js";
import { freePlace, reach, withKey, withoutKey } from "../src/figures/soft-dictionary/state.js";

test("numbers are shown with a true minus and without a negative zero", () => {
  assert.equal(format(-1.005), "−1.00");
  assert.equal(format(-0.001), "0.00");
  assert.equal(short(0.1 + 0.2), "0.3");
  assert.equal(short(-12), "−12");
});

test("what a reader types is a number, or refused", () => {
  /** @type {[string, number | null][]} */
  const cases = [
    ["12", 12], [" -3.5 ", -3.5], ["−3", -3], ["＋１．５", 1.5], [".5", 0.5], ["5.", 5], ["1e3", 1000],
    ["", null], ["abc", null], ["1,5", null], ["1e9", null], ["NaN", null], ["Infinity", null],
    ["0x10", null], ["1 2", null], ["--1", null], [".", null], ["<b>1</b>", null],
  ];
  for (const [text, expected] of cases) assert.equal(parse(text, 1e6), expected, text);
});

test("what is shown can be typed again", () => {
  for (const x of [0, -1.25, 1e6, 1e-7, -123456]) assert.equal(parse(short(x), 1e6), x);
});

test("rounding to a step leaves no stray digits", () => {
  assert.equal(roundTo(0.30000000000000004, 0.1), 0.3);
  assert.equal(roundTo(127, 10), 130);
  assert.equal(clamp(5, 0, 3), 3);
});

test("a linear scale and its inverse", () => {
  const scale = linear([-2, 2], [0, 100]);
  assert.equal(scale(1), 75);
  assert.equal(scale.invert(75), 1);
});

test("labels are cut to a width, Japanese counts double", () => {
  assert.equal(shorten("dog", 10), "dog");
  assert.ok(textWidth("犬犬") > textWidth("ab"));
  assert.equal(shorten("とても長い名前", 4), "とても…");
});

test("placeholders are filled, and a missing one is an error", () => {
  assert.equal(fill("{a} and {b}", { a: 1, b: "{a}" }), "1 and {a}");
  assert.throws(() => fill("{a}", {}), /asks for a/);
});

test("a store tells its listeners until they leave", () => {
  const store = createStore({ a: 1, b: 2 });
  /** @type {object[]} */
  const seen = [];
  const leave = store.subscribe((state) => seen.push(state));
  store.set({ a: 3 });
  leave();
  store.set({ a: 4 });
  assert.deepEqual(seen, [{ a: 3, b: 2 }]);
});

test("a model without a kernel", () => {
  const model = createModel({ a: 1 });
  /** @type {unknown[]} */
  const seen = [];
  const listener = (/** @type {unknown} */ _, /** @type {unknown} */ value) => seen.push(value);
  model.on("change:a change:b", listener);
  model.set("a", 1); // no change
  model.set("a", 2);
  model.set("b", 3);
  model.off("change:a", listener);
  model.set("a", 4);
  model.save_changes();
  assert.deepEqual(seen, [2, 3]);
  assert.equal(model.get("a"), 4);
});

test("two views of one model stay in step, and half-arrived traits are waited out", async () => {
  const traits = { keys: "key_vectors", values: "values" };
  const model = createModel({ key_vectors: [1], values: [1] });
  const sizes = (/** @type {any} */ state) => state.keys.length === state.values.length;
  const [one, two] = [1, 2].map(() => {
    const store = createStore({ keys: [1], values: [1] });
    return { store, link: connect(model, store, traits, sizes) };
  });
  one.link.commit({ keys: [5, 6], values: [7, 8] });
  await Promise.resolve();
  assert.deepEqual(two.store.get(), { keys: [5, 6], values: [7, 8] });
  model.set("key_vectors", [1, 2, 3]); // Python's first message
  await Promise.resolve();
  assert.deepEqual(two.store.get().keys, [5, 6]);
  model.set("values", [1, 2, 3]); // its second
  await Promise.resolve();
  assert.deepEqual(two.store.get(), { keys: [1, 2, 3], values: [1, 2, 3] });
  two.link.stop();
  model.set("values", [0, 0, 0]);
  await Promise.resolve();
  assert.deepEqual(two.store.get().values, [1, 2, 3]);
  assert.deepEqual(one.store.get().values, [0, 0, 0]);
});

test("the plane holds every point and a new key gets room", () => {
  assert.ok(reach([[2, -0.3]]) >= 2);
  assert.ok(reach([[0, 0]]) > 0);
  const taken = /** @type {[number, number][]} */ ([[1, 1], [-1, -1], [0, 0]]);
  const place = freePlace(taken, 2);
  for (const point of taken) assert.ok(Math.hypot(place[0] - point[0], place[1] - point[1]) > 0.9);
});

test("keys come and go together with value, name and mask", () => {
  /** @type {Parameters<typeof withKey>[0]} */
  const state = { keys: [[1, 2]], values: [3], names: ["a"], mask: [false] };
  const more = withKey(state, { key: [4, 5], value: 6, name: "b" });
  assert.deepEqual(more, { keys: [[1, 2], [4, 5]], values: [3, 6], names: ["a", "b"], mask: [false, true] });
  assert.deepEqual(withoutKey(more, 1), state);
});
