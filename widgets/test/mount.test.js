import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage, saved } from "./page.js";

test("a figure is mounted from its saved state, into the place that the page keeps for it", async () => {
  const { document, shown, errors } = await openPage({ one: saved() }, { mounts: true });
  assert.equal(shown, "ready");
  assert.deepEqual(errors, []);
  assert.equal(document.querySelectorAll(".figure-mount .cb-figure").length, 1);
  assert.match(document.querySelector("[role=status].cb-hidden")?.textContent ?? "", /east/);
});

test("without such a place it comes after its script", async () => {
  const { document } = await openPage({ one: saved() });
  assert.ok(document.querySelector('script[type*="widget-view"] + div .cb-figure'));
});

test("two figures load their script once; two views of one widget share its state", async () => {
  const { document, window } = await openPage({ one: saved(), two: saved() }, { views: ["one", "one", "two"] });
  assert.equal(document.querySelectorAll('script[src$="soft-dictionary.js"]').length, 1);
  const weights = () =>
    [...document.querySelectorAll(".cb-figure")].map(
      (figure) => figure.querySelector(".cb-weight-number")?.textContent,
    );
  const before = weights();
  const box = /** @type {HTMLInputElement} */ (document.querySelector(".cb-mask input"));
  box.click();
  await new Promise((wake) => window.setTimeout(wake, 0));
  assert.deepEqual(weights(), ["0.00", "0.00", before[2]]);
});

test("a widget of another kind is said to need a notebook", async () => {
  const { document, shown } = await openPage({ plain: { value: 3 } }, { views: ["plain", "unsaved"] });
  assert.equal(shown, "ready");
  assert.equal(document.body.textContent?.match(/needs a running notebook/g)?.length, 2);
});

test("a figure that fails says so in its place and on the console; the others are shown", async () => {
  const widgets = { bad: { figure: "no-such-figure" }, broken: saved({ key_vectors: null }), good: saved() };
  const { document, shown, errors } = await openPage(widgets);
  assert.equal(shown, "failed");
  assert.match(document.body.textContent ?? "", /“no-such-figure” could not be shown: .*could not be loaded/);
  assert.match(document.body.textContent ?? "", /“soft-dictionary” could not be shown/);
  assert.ok(errors.some((error) => /no-such-figure/.test(error)));
  assert.ok(errors.length >= 2);
  assert.equal(document.querySelectorAll(".cb-figure .cb-plane").length, 1);
});

test("a language without words of its own gets English", async () => {
  const { document } = await openPage({ one: saved() }, { lang: "xx" });
  assert.match(document.body.textContent ?? "", /temperature/);
});

test("markup in saved names stays text", async () => {
  const names = ["</script><img src=x onerror=alert(1)>", "<b>b</b>", "&amp;"];
  const { document, errors } = await openPage({ one: saved({ names }) });
  assert.deepEqual(errors, []);
  assert.equal(document.querySelectorAll("img, b").length, 0);
  const inputs = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(".cb-name-cell input"));
  assert.deepEqual([...inputs].map((input) => input.value), names);
});
