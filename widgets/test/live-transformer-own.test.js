/** The live Transformer in a notebook with a kernel: a reader's own model, of other sizes and words. */
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { JSDOM } from "jsdom";
import { createModel } from "../src/page/model.js";
import { folder } from "./page.js";
import { weightsOf, wordsOf } from "./models.js";

const words = wordsOf("live_transformer");
const SPECIAL = ["<pad>", "<bos>", "<eos>", "<unk>"];
const SOURCE = [...SPECIAL, "le", "chien", "dort", "mange", "."];
const TARGET = [...SPECIAL, "the", "dog", "sleeps", "eats", "a", "."];

/** A model of one layer and three heads, as Python packs it; its weights are random, its size is not. */
function packed() {
  const { config, source, target, tensors } = weightsOf("transformer");
  const sizes = new Map([[config.d_model, 12], [config.d_ff, 7], [source.length, SOURCE.length], [target.length, TARGET.length]]);
  const shapes = Object.entries(tensors)
    .filter(([name]) => !name.includes(".layers.1."))
    .map(([name, { shape }]) => /** @type {[string, number[]]} */ ([name, shape.map((size) => sizes.get(size) ?? size)]));
  const header = {
    config: { ...config, d_model: 12, d_ff: 7, heads: 3, layers: 1, positions: false },
    source: SOURCE,
    target: TARGET,
    tensors: shapes,
  };
  let text = JSON.stringify(header);
  text += " ".repeat(text.length % 2);
  const count = shapes.reduce((sum, [, shape]) => sum + shape.reduce((a, b) => a * b, 1), 0);
  const block = Buffer.alloc(4 + text.length + 2 * count);
  block.writeUInt32LE(text.length);
  block.write(text, 4);
  let seed = 7;
  for (let i = 0; i < count; i++) {
    seed = (seed * 48271) % 2147483647;
    block.writeUInt16LE(((seed & 1) << 15) | (13 << 10) | (seed % 1024), 4 + text.length + 2 * i); // ±0.25 to ±0.5
  }
  return block.toString("base64");
}

/** What Python sends of `LiveTransformer(model, french, english, beside=())`. */
function traits() {
  const turned = {
    sentence: ["le", "chien", "dort", "."],
    ...{ temperature: 1, scale: true, positions: true, residuals: true, off: [], forced: {}, width: 1 },
  };
  return {
    figure: "live-transformer",
    names: ["mine"],
    models: { mine: { sha256: "of mine", data: packed() } },
    notes: {},
    examples: [],
    aligning: [0, 0, 0],
    longest: 46,
    example: turned,
    ...turned,
  };
}

// by its ending Node knows that it is a module
const copy = join(mkdtempSync(join(tmpdir(), "live-")), "live-transformer.mjs");
copyFileSync(join(folder, "live-transformer.js"), copy);
const { default: figure } = await import(copy);

async function show() {
  const { window } = new JSDOM("<!doctype html><html><body></body></html>", { pretendToBeVisual: true });
  const { document, ShadowRoot, AbortController, MutationObserver, HTMLElement } = window;
  window.HTMLCanvasElement.prototype.getContext = () => null;
  Object.assign(globalThis, { window, document, ShadowRoot, AbortController, MutationObserver, HTMLElement, location: window.location });
  Object.assign(globalThis, { getComputedStyle: window.getComputedStyle, requestAnimationFrame: window.requestAnimationFrame, cancelAnimationFrame: window.cancelAnimationFrame });
  const model = createModel(traits());
  let saves = 0;
  model.save_changes = () => (saves += 1);
  const el = document.createElement("div");
  document.body.append(el);
  const end = figure.render({ model, el });
  const drawn = () => new Promise((wake) => window.requestAnimationFrame(() => setTimeout(wake)));
  for (let i = 0; i < 100 && !el.querySelector(".cb-live-transformer"); i++) await drawn();
  const all = (/** @type {string} */ selector) => /** @type {HTMLElement[]} */ ([...el.querySelectorAll(selector)]);
  const source = () => all(".cb-tokens:not(.cb-written) .cb-word").map((node) => node.textContent).join(" ");
  return { model, el, end, drawn, all, source, saves: () => saves };
}

test("a model of any size is shown with its own words, heads and switches", async () => {
  const { all, source, end } = await show();
  assert.equal(source(), "le chien dort . (end)");
  assert.equal(all(".cb-layer").length, 1);
  assert.equal(all(".cb-look").length, 3);
  const chances = all(".cb-written .cb-chance").map((node) => Number(node.textContent));
  assert.ok(chances.length > 0 && chances.every((chance) => chance > 0 && chance <= 1));
  const toggles = all(".cb-switches .cb-toggle").map((node) => node.textContent);
  assert.ok(toggles.includes(words.scale) && !toggles.includes(words.positions)); // it was made without
  assert.ok(all("button").some((node) => node.textContent === words.tour_start && node.closest("[hidden]")));
  assert.equal(all("details.cb-beside")[0].hidden, true); // there is none to stand beside it
  end();
});

test("reader and kernel change the same model", async () => {
  const { model, all, source, drawn, saves, end } = await show();
  model.set("sentence", ["le", "chien", "mange", "."]);
  await drawn();
  assert.equal(source(), "le chien mange . (end)");
  model.set("sentence", ["le", "loup"]); // which the model does not know: Python refuses it, and so does the page
  await drawn();
  assert.equal(source(), "le chien mange . (end)");
  all(".cb-head input")[1].click();
  await drawn();
  assert.deepEqual(model.get("off"), ["decoder.0.cross.1"]);
  assert.equal(saves(), 1);
  const buttons = all(".cb-written button");
  buttons[0].click();
  await drawn();
  all(".cb-alternative")[2].click();
  await drawn();
  assert.equal(Object.keys(model.get("forced")).join(), "0");
  all("button").find((node) => node.textContent === words.copy_link)?.click();
  await drawn();
  assert.match(all(".cb-ways-back .cb-note")[0].textContent ?? "", /#live\?s=le\+chien/);
  end();
});
