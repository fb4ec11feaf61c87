/** The maps of the live Transformer: which words they are of, and what a head that is off has of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { common } from "../src/figures/live-transformer/engine.js";
import { fresh, faults } from "./live-page.js";
import { wordsOf } from "./models.js";

const words = wordsOf("live_transformer");

test.after(() => assert.deepEqual(faults(), []));

/** @param {Awaited<ReturnType<typeof fresh>>} page */
async function openWay(page) {
  /** @type {HTMLDetailsElement} */ (page.find("details.cb-opened")).open = true;
  await page.until(() => page.all(".cb-stages li").length > 0);
}
/** @param {Awaited<ReturnType<typeof fresh>>} page @param {"source" | "target"} side @param {number} index */
async function choose(page, side, index) {
  page.all(side === "target" ? ".cb-written button" : ".cb-tokens:not(.cb-written) button")[index].click();
  await page.drawn();
}

test("a word that asks nothing in a map has no look-up there", async () => {
  const page = await fresh();
  await openWay(page);
  const rows = () => page.all(".cb-look-up tbody tr").length;
  const said = () => page.find(".cb-way .cb-note").textContent ?? "";
  const none = (/** @type {"encoder" | "decoder"} */ kind, /** @type {string} */ word) =>
    words.asks_nothing.replace("{kind}", words.kinds[kind]).replace("{word}", word);
  await choose(page, "target", 6);
  assert.equal(rows(), 13);
  await page.press(words.kinds.encoder, ".cb-tabs button");
  assert.deepEqual([rows(), said()], [0, none("encoder", "猫")]);
  await choose(page, "source", 2);
  assert.equal(rows(), 13);
  await page.press(words.kinds.decoder, ".cb-tabs button");
  assert.deepEqual([rows(), said()], [0, none("decoder", "dog")]);
  await page.press(words.kinds.cross, ".cb-tabs button");
  assert.equal(rows(), 0);
  assert.doesNotMatch(page.find(".cb-way").textContent ?? "", /undefined/);
});

test("a head that is off says so at its map and in its look-up, and is left out of the mean", async () => {
  const page = await fresh();
  await openWay(page);
  const said = () => [".cb-said", ".cb-way .cb-note"].map((place) => page.find(place).textContent ?? "");
  const dim = () => page.all(":is(.cb-map, .cb-arcs, .cb-look-up table, .cb-look-up).cb-off").length;
  const weights = () => page.all(".cb-key .cb-weight").map((node) => node.textContent).join(" ");
  const turn = async (/** @type {number[]} */ ...heads) => {
    for (const head of heads) {
      page.box(`head ${head} of layer 2 is on`).click();
      await page.drawn();
    }
  };
  assert.deepEqual([dim(), said().some((text) => text.includes(words.silent.head))], [0, false]);
  await turn(4);
  assert.ok(said().every((text) => text.startsWith(words.silent.head)), said().join());
  assert.equal(dim(), 3);
  await page.press("head 3", ".cb-layer:nth-of-type(3) .cb-look");
  assert.ok(!said().some((text) => text.includes(words.silent.head)));
  const third = weights();
  await turn(1, 2);
  page.all(".cb-mean")[1].click();
  await page.drawn();
  assert.equal(weights(), third, "the mean of the one head that is on");
  assert.ok(!said()[0].includes(words.silent.heads));
  await turn(3);
  assert.ok(said()[0].startsWith(words.silent.heads));
  page.box("layer 2").click();
  await page.drawn();
  assert.deepEqual(said(), [words.silent.layer, words.silent.layer]);
  page.all(".cb-key li")[2].click(); // nor does a word that answers give anything there
  await page.drawn();
  assert.equal(said()[0], words.silent.layer);
});

test("a word beside the lines is chosen by a press", async () => {
  const page = await fresh();
  const chosen = () => page.all(".cb-token[aria-pressed=true] .cb-word").map((node) => node.textContent).join();
  const said = () => page.find(".cb-said").textContent ?? "";
  const press = async (/** @type {string} */ column, /** @type {number} */ index) => {
    page.all(`.cb-${column} li`)[index].click();
    await page.drawn();
  };
  await press("query", 6);
  assert.deepEqual([chosen(), /^猫 takes >\.99 from cat/.test(said())], ["猫", true]);
  await press("key", 2);
  assert.deepEqual([chosen(), /^dog gives most to 犬/.test(said())], ["dog", true]);
  await page.press(words.kinds.encoder, ".cb-tabs button");
  await press("query", 10);
  assert.deepEqual([chosen(), /^cat takes/.test(said())], ["cat", true]);
  await press("key", 1);
  assert.equal(chosen(), "the");
  await page.press(words.kinds.decoder, ".cb-tabs button");
  await press("query", 3);
  assert.equal(chosen(), "て");
  await press("key", 3); // the third word written: the first that answers is the beginning
  assert.equal(chosen(), "歩い");
  await press("key", 0);
  assert.equal(chosen(), "歩い");
});

test("words that stand at the same place are the same ones, where that costs none", () => {
  const marked = (/** @type {string} */ one, /** @type {string} */ other) =>
    common([...one], [...other]).map((same, i) => [...[one, other][i]].filter((_, j) => !same[j]).join(""));
  assert.deepEqual(marked("猫は犬を追う", "犬は猫を追う"), ["猫犬", "犬猫"]);
  assert.deepEqual(marked("abcd", "xabcd"), ["", "x"]);
  assert.deepEqual(marked("aab", "ab"), ["a", ""]);
  assert.deepEqual(marked("", "ab"), ["", "ab"]);
  assert.deepEqual(marked("abc", "abc"), ["", ""]);
});

test("words that only changed places are neither gone nor new", async () => {
  const page = await fresh();
  await page.type("the cat chased the dog.");
  page.box(words.positions).click();
  await page.drawn();
  assert.equal(page.translation(), "犬は猫を追いました。(end)");
  const marked = () => page.all(".cb-written .cb-other .cb-word").map((node) => node.textContent).join("");
  assert.equal(marked(), "犬猫");
  assert.equal(page.find(".cb-verdict").textContent, words.words_swapped.replace("{changes}", words.changes.positions));
  await page.type("the boy who met a small bird sang in the garden.");
  assert.equal(
    page.find(".cb-verdict").textContent,
    "Changed: positions off. 4 words of the untouched model are gone, 1 is new, 1 stands at another place.",
  );
  await page.press(words.restore);
});
