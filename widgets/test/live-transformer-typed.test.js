/** What a reader types into the live Transformer, or a link brings: read alike, and what is wrong is said. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RUNNING, fresh, faults, open } from "./live-page.js";
import { wordsOf } from "./models.js";

const words = wordsOf("live_transformer");
const DRAGON = "the dragon slept.";

test.after(() => assert.deepEqual(faults(), []));

/** @param {Awaited<ReturnType<typeof fresh>>} page */
const complaint = (page) => page.find(".cb-complaint").textContent ?? "";

test("a sentence in a link is read as one that is typed", async () => {
  const page = await open({ hash: "#live?s=The+Dog+sleeps." });
  assert.deepEqual([page.source(), complaint(page)], ["the dog sleeps . (end)", ""]);
  await page.follow("#live?s=a+FOX+always+sleeps!");
  assert.deepEqual([page.source(), complaint(page)], ["a fox always sleeps . (end)", ""]);
});

test("what cannot be read of a link is said, from its first moment until another sentence comes", async () => {
  const page = await open({ hash: `#live?s=${DRAGON.replaceAll(" ", "+")}` });
  const link = (/** @type {string} */ sentence) => words.link_unread.replace("{sentence}", sentence).split("{")[0];
  assert.equal(page.translation(), RUNNING);
  assert.ok(complaint(page).startsWith(link(DRAGON)), complaint(page));
  assert.match(complaint(page), /does not know “dragon”/);
  await page.follow(`#live?s=${"dog+".repeat(60)}`);
  assert.match(complaint(page), /could not be read: “dog dog .*…”\. The model takes at most 32/);
  await page.follow("#live?s=%FF");
  assert.match(complaint(page), /could not be read: .* does not know/);
  await page.follow("#live?s=");
  assert.ok(complaint(page).endsWith(words.empty));
  await page.follow("#live?s=the+dog+slept");
  assert.deepEqual([page.source(), complaint(page)], ["the dog slept . (end)", ""]);
  for (const step of [0, 12, 99]) {
    await page.follow(`#step-${step}`);
    assert.equal(complaint(page), words.link_step.replace("{step}", String(step)).replace("{count}", "11"));
    assert.equal(page.find(".cb-tour").hidden, true);
  }
  await page.follow("#step-11");
  assert.deepEqual([page.find(".cb-tour").hidden, complaint(page)], [false, ""]);
  assert.deepEqual(page.errors, []);
});

test("signs are like no word, marks end a sentence, and a long word is cut short where it is quoted", async () => {
  const page = await fresh();
  for (const sign of ["犬", "😀", "!dog 7"]) {
    await page.type(sign);
    assert.match(complaint(page), /nor a word that is spelled alike/, sign);
    assert.equal(page.all(".cb-repairs button").length, 0);
  }
  for (const [typed, read] of [
    ["the dog chased the cat!", "the dog chased the cat . (end)"],
    ["the dog slept?!", "the dog slept . (end)"],
    ["The cat slept！", "the cat slept . (end)"],
  ]) {
    await page.type(typed);
    assert.deepEqual([page.source(), complaint(page)], [read, ""], typed);
  }
  await page.type(`the ${"x".repeat(120)} slept.`);
  assert.match(complaint(page), /“x{24}…”/);
  await page.type("the dog slept.");
});

test("the key that takes letters away takes words away too", async () => {
  const page = await fresh();
  await page.type("the dog chased the cat.");
  const press = (/** @type {number} */ word) =>
    page.all(".cb-tokens:not(.cb-written) button")[word].dispatchEvent(new page.window.KeyboardEvent("keydown", { key: "Backspace", bubbles: true, cancelable: true }));
  press(1);
  await page.drawn();
  assert.equal(page.source(), "the chased the cat . (end)");
  press(5);
  await page.drawn();
  assert.equal(page.source(), "the chased the cat . (end)");
});

test("what was said of a copied link goes when something else is shown", async () => {
  const page = await fresh();
  const said = () => page.find(".cb-ways-back .cb-note").textContent;
  for (const change of [() => page.type("the cat slept."), () => page.press("head 1", ".cb-look"), () => page.press("Reset")]) {
    await page.press(words.copy_link);
    await page.drawn();
    assert.equal(said(), words.in_address);
    await change();
    assert.equal(said(), "");
  }
});

test("a word that could be written instead says how it is read and what it means", async () => {
  const page = await fresh();
  const offered = page.all(".cb-alternative").filter((node) => !node.hidden);
  assert.deepEqual([offered[0].title, offered[0].querySelector(".cb-notes")?.textContent], ["inu, dog", "dog"]);
  assert.ok(offered.every((node) => node.querySelector(".cb-notes")?.textContent));
});
