/** The ES module that a live kernel sends, beside a model that Python may change at any time. */
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { JSDOM } from "jsdom";
import { createModel } from "../src/page/model.js";
import { folder, saved } from "./page.js";

/** Lend a page's globals to the module, as the browser would. */
function lendPage() {
  const { window } = new JSDOM("<!doctype html><html><body></body></html>");
  const ResizeObserver = class {
    observe() {}
    disconnect() {}
  };
  const { document, ShadowRoot, AbortController } = window;
  Object.assign(globalThis, { document, ShadowRoot, AbortController, ResizeObserver });
  return document;
}

// by its ending Node knows that it is a module
const copy = join(mkdtempSync(join(tmpdir(), "live-")), "soft-dictionary.mjs");
copyFileSync(join(folder, "soft-dictionary.js"), copy);
const { default: figure } = await import(copy);

function show() {
  const document = lendPage();
  const model = createModel(saved());
  let saves = 0;
  model.save_changes = () => (saves += 1);
  const el = document.createElement("div");
  document.body.append(el);
  const end = figure.render({ model, el });
  const weights = () => [...el.querySelectorAll(".cb-weight-number")].map((node) => node.textContent);
  return { document, model, el, end, weights, saves: () => saves };
}

const turn = () => new Promise((wake) => setTimeout(wake));

test("what Python sets is drawn, when all of it has come", async () => {
  const { model, weights, el } = show();
  model.set("key_vectors", [[1, 1]]);
  await turn();
  assert.equal(weights().length, 3);
  model.set("values", [5]);
  model.set("names", ["only"]);
  model.set("mask", [true]);
  await turn();
  assert.deepEqual(weights(), ["1.00"]);
  model.set("query", [50, 0]); // outside of the plane, which grows
  await turn();
  const x = el.querySelector(".cb-puck")?.getAttribute("transform")?.match(/translate\(([\d.]+)/)?.[1];
  assert.ok(Number(x) < 360);
});

test("what the reader does is saved to the model", () => {
  const { model, el, saves } = show();
  const box = /** @type {HTMLInputElement} */ (el.querySelector(".cb-mask input"));
  box.click();
  assert.deepEqual(model.get("mask"), [false, true, true]);
  assert.equal(saves(), 1);
  /** @type {HTMLElement} */ (el.querySelector(".cb-remove")).click();
  assert.deepEqual(model.get("key_vectors"), [[0, 2], [-2, 0]]);
  assert.deepEqual(model.get("names"), ["north", "west"]);
});

test("a second view goes back to the author's example, not to what the reader had made of it", () => {
  const document = lendPage();
  const model = createModel(saved({ query: [-1, -1], temperature: 0 }));
  const el = document.createElement("div");
  document.body.append(el);
  figure.render({ model, el });
  /** @type {HTMLElement} */ (el.querySelectorAll(".cb-buttons button")[1]).click();
  assert.deepEqual(model.get("query"), [1, 0.5]);
  assert.equal(model.get("temperature"), 1);
});

test("styles are added once, and a view that ends listens no more", async () => {
  const { document, model, el, end, weights } = show();
  const other = document.createElement("div");
  document.body.append(other);
  figure.render({ model, el: other });
  assert.equal(document.querySelectorAll('style[data-contextbook="theme"]').length, 1);
  const before = weights();
  end();
  model.set("temperature", 0);
  await turn();
  assert.deepEqual(weights(), before);
  assert.notDeepEqual(other.querySelector(".cb-weight-number")?.textContent, before[0]);
  assert.ok(el.dataset.updateMs);
});
