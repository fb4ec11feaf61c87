import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { quantity, times } from "../src/figures/cost-bench/sentences.js";
import { PRESETS, changed, consistent, crossings, nearest, stopsOf } from "../src/figures/cost-bench/state.js";
import { KINDS, MEASURES, convolutionReach, count } from "../src/lib/costs.js";
import { openPage } from "./page.js";

/** @typedef {import("../src/figures/cost-bench/state.js").State} State */

const file = new URL("fixtures/cost-bench.json", import.meta.url);
/** @type {{ sizes: State, costs: any, reach: number, dearer_above: any }[]} */
const examples = JSON.parse(readFileSync(file, "utf8"));

const table = new URL("../../contextbook/words/en.json", import.meta.url);
/** @type {import("../src/figures/cost-bench/words.js").Words} */
const words = JSON.parse(readFileSync(table, "utf8")).cost_bench;

/** @type {State} */
const example = {
  ...{ length: 128, width: 128, heads: 4, layers: 1 },
  ...{ measure: "operations", projections: true, fused: false, dilated: false },
};

/** @param {Partial<State>} [changes] */
async function open(changes) {
  const state = { figure: "cost-bench", ...example, example: { ...example, ...changes }, ...changes };
  const { document, window, errors } = await openPage({ one: state });
  const all = (/** @type {string} */ selector) =>
    /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll(selector)]);
  const texts = (/** @type {string} */ selector) =>
    all(selector).map((node) => (node.textContent ?? "").replaceAll("\u00a0", " "));
  /** @param {HTMLInputElement} node @param {string | number} value @param {string} event */
  function set(node, value, event) {
    node.value = String(value);
    node.dispatchEvent(new window.Event(event, { bubbles: true }));
  }
  return {
    errors,
    all,
    texts,
    readings: () => texts(".cb-readings p"),
    row: (/** @type {number} */ i) => texts(`tbody tr:nth-child(${i + 1}) td`),
    /** @param {string} label */
    press: (label) => all("button").find((one) => one.textContent === label)?.click(),
    /** @param {number} i */
    choose(i) {
      const input = all("[type=radio]")[i];
      input.checked = true;
      input.dispatchEvent(new window.Event("change", { bubbles: true }));
    },
    /** @param {string} name @param {number} stop */
    slide: (name, stop) => set(all(`.cb-row.cb-${name} .cb-range`)[0], stop, "input"),
    /** @param {string} name @param {string} text */
    type: (name, text) => set(all(`.cb-row.cb-${name} input[type=text]`)[0], text, "change"),
  };
}

test("counts, reach and crossings are Python's", () => {
  assert.ok(examples.length >= 8);
  for (const { sizes, costs, reach, dearer_above } of examples) {
    assert.ok(consistent(sizes));
    for (const measure of MEASURES) {
      const counted = count(measure, sizes);
      for (const kind of KINDS) assert.equal(counted[kind], costs[kind][measure], `${kind} ${measure}`);
    }
    assert.equal(Math.min(convolutionReach(sizes.layers, sizes.dilated), 2 ** 53), reach);
    for (const measure of /** @type {const} */ (["operations", "memory"])) {
      const found = crossings({ ...sizes, measure }) ?? {};
      for (const [kind, above] of Object.entries(found)) {
        assert.equal(above === Infinity ? null : above, dearer_above[measure][kind]);
      }
    }
    assert.equal(crossings({ ...sizes, measure: "path" }), null);
  }
});

test("quantities have a unit for each thousandfold", () => {
  const said = (/** @type {import("../src/lib/costs.js").Measure} */ measure, /** @type {number} */ x) =>
    quantity(words, measure, x).replaceAll("\u00a0", " ");
  assert.deepEqual(
    [512, 1000, 999499, 999999, 4194304, 1.28e9, 1.29e14, 1.9e15].map((x) => said("operations", x)),
    ["512", "1 k", "999 k", "1 M", "4.19 M", "1.28 B", "129 T", "1,900 T"],
  );
  assert.deepEqual([128, 249.9, 250, 147456].map((x) => said("memory", x)), ["512 B", "1 kB", "1 kB", "590 kB"]);
  assert.equal(said("steps", 16479), "16,479");
  assert.deepEqual([times(3, 1), times(129, 237), times(1, 1000)], ["3", "0.54", "< 0.01"]);
});

test("a width takes its heads along, and sliders stop at heads that share it", () => {
  assert.deepEqual(changed(example, "width", 768), { width: 768 });
  assert.deepEqual(changed({ ...example, width: 768, heads: 12 }, "width", 64), { width: 64, heads: 8 });
  assert.deepEqual(changed(example, "width", 101), { width: 101, heads: 1 });
  assert.deepEqual(stopsOf("heads", { ...example, width: 48 }), [1, 2, 3, 4, 6, 8, 12, 16, 24, 48]);
  assert.deepEqual(stopsOf("length", example).slice(0, 5), [4, 6, 8, 12, 16]);
  assert.equal(nearest([4, 8, 16], 11), 1);
  for (const preset of Object.values(PRESETS)) assert.ok(consistent({ ...example, ...preset }));
});

test("the page shows all counts, and says in words what they mean", async () => {
  const { row, readings, choose, all, errors } = await open();
  assert.deepEqual(row(0), ["4.19 M", "128", "127", "131 kB"]);
  assert.deepEqual(row(3), ["12.6 M", "1", "1", "590 kB"]);
  assert.deepEqual(readings(), [
    "At length 128 attention takes 12.6 M operations: 3 times those of the RNN, 0.75 times those of the LSTM.",
    "Attention takes more operations than the RNN at every length, than the LSTM above length 256, " +
      "than the convolution at every length.",
    "With 1 of the 64 layers that it takes, the convolution reaches 2 tokens back, not 127.",
  ]);
  assert.equal(all(".cb-crossing").length, 1);
  choose(1);
  assert.match(readings()[0], /an RNN or an LSTM takes 128 steps .* attention and convolution take 1\.$/);
  assert.equal(all(".cb-crossing").length, 0);
  choose(2);
  assert.match(readings()[0], /127 hops in an RNN or an LSTM, 64 in the convolution, 1 in attention/);
  choose(3);
  assert.match(readings()[0], /keeps 590 kB; 44% of that are its tables of weights, 128 × 128/);
  assert.match(readings()[1], /than the LSTM above length 96,/);
  assert.deepEqual(errors, []);
});

test("switches change what is counted", async () => {
  const { all, readings, row, choose } = await open();
  all("[type=checkbox]")[0].click();
  assert.match(readings()[1], /than the RNN above length 128, than the LSTM above length 512/);
  choose(3);
  all("[type=checkbox]")[1].click();
  assert.match(readings()[0], /^At length 128 attention keeps 330 kB, 2\.5 times what the RNN keeps/);
  assert.match(readings()[1], /than the LSTM at no length/);
  all("[type=checkbox]")[2].click();
  assert.equal(row(2)[2], "7");
  assert.match(readings()[2], /^With 1 of the 7 layers that it takes/);
});

test("sliders, numbers typed, presets and Reset", async () => {
  const { slide, type, row, press, all, texts, readings } = await open();
  slide("length", 24);
  assert.equal(all(".cb-row.cb-length input[type=text]")[0].value, "16384");
  type("width", "７６８");
  type("heads", "12");
  type("length", "512");
  type("layers", "12");
  assert.equal(all("[aria-pressed=true]")[0].textContent, "BERT, 2018");
  assert.deepEqual(row(3), ["19.3 B", "12", "1", "245 MB"]);
  for (const wrong of ["7", "0", "1.5", "<b>8</b>", ""]) {
    type("heads", wrong);
    const word = wrong === "7" ? "7 heads cannot share a width of 768 evenly." : "heads takes a whole number from 1 to 96.";
    assert.equal(texts(".cb-complaint")[0], word);
    assert.equal(all("[aria-invalid=true]").length, 1);
    assert.deepEqual(row(3)[3], "245 MB");
  }
  assert.equal(all("b").length, 0);
  press("GPT-3, 2020");
  assert.equal(all("[aria-invalid=true]").length, 0);
  assert.deepEqual(row(0), ["59.4 T", "2,143", "2,047", "19.3 GB"]);
  slide("layers", 0);
  slide("length", 0);
  assert.match(readings()[2], /^With 1 of the 2 layers/);
  slide("layers", 1);
  assert.equal(readings()[2], "The convolution’s last output sees the first token, 3 tokens back.");
  press("Reset");
  assert.deepEqual(row(0), ["4.19 M", "128", "127", "131 kB"]);
  assert.match(texts("p[aria-live]")[0], /^Length 128, width 128, heads 4, layers 1\. RNN: 4\.19 M operations/);
});
