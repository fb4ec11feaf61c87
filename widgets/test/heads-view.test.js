import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createVerb, swapped } from "../src/figures/heads-view/state.js";
import { unpack } from "../src/lib/weights.js";
import { openPage } from "./page.js";

const fixture = JSON.parse(readFileSync(new URL("fixtures/heads-view.json", import.meta.url), "utf8"));
const weights = unpack(new Uint8Array(Buffer.from(fixture.state.models.four.data, "base64")));

/** @param {object} [changes] */
async function open(changes) {
  const { document, window, errors } = await openPage({ one: { ...fixture.state, ...changes } });
  const all = (/** @type {string} */ selector) =>
    /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);
  const find = (/** @type {string} */ selector) => {
    const [node] = all(selector);
    assert.ok(node, selector);
    return node;
  };
  const waited = async () => {
    for (let i = 0; i < 200 && find(".cb-heads-view").dataset.state === "loading"; i++) {
      await new Promise((wake) => setTimeout(wake, 5));
    }
    return find(".cb-heads-view").dataset.state;
  };
  return {
    errors,
    all,
    find,
    waited,
    sentence: () => find(".cb-japanese").textContent,
    weights: () => all(".cb-weight").map((node) => node.textContent),
    answers: () => all(".cb-answers tbody tr").map((node) => node.querySelector(".cb-text")?.textContent),
    verdicts: () => all(".cb-verdict").map((node) => node.textContent),
    switches: () => /** @type {HTMLInputElement[]} */ (all("input[role=switch]")),
    /** @param {number} head */
    turn(head) {
      /** @type {HTMLInputElement} */ (all("input[role=switch]")[head]).click();
    },
    /** @param {string} selector @param {number} place @param {number} value */
    choose(selector, place, value) {
      const select = /** @type {HTMLSelectElement} */ (all(selector)[place]);
      select.value = String(value);
      select.dispatchEvent(new window.Event("change", { bubbles: true }));
    },
    reset: () => find(".cb-reset").click(),
  };
}

test("weights and answers are PyTorch's, with heads on and off", () => {
  const verb = createVerb(weights);
  for (const { phrases, on, weights: expected, animals, shares } of fixture.cases) {
    const reply = verb({ phrases, on });
    expected.forEach((/** @type {number[]} */ row, /** @type {number} */ head) =>
      row.forEach((weight, place) => assert.ok(Math.abs(reply.weights[head][place] - weight) < 1e-6)),
    );
    assert.deepEqual(reply.answers.map(({ animal }) => animal), animals);
    reply.answers.forEach(({ share }, i) => assert.ok(Math.abs(share - shares[i]) < 1e-5));
  }
  assert.equal(fixture.cases.length, 9);
});

test("an answer is right if its animal stands before the particle", () => {
  const verb = createVerb(weights);
  const on = [true, true, true, true];
  const { answers } = verb({ phrases: [[0, 0], [1, 1], [2, 1], [3, 3]], on });
  assert.deepEqual(answers.map(({ asked }) => asked), [[0], [1, 2], [], [3]]);
  for (const { animal, asked, right } of answers) assert.equal(right, asked.includes(animal));
});

test("neighbours change places, and the sentence is not touched", () => {
  /** @type {[number, number][]} */
  const phrases = [[0, 0], [1, 3], [2, 1]];
  assert.deepEqual(swapped(phrases, 1), [[0, 0], [2, 1], [1, 3]]);
  assert.deepEqual(phrases[1], [1, 3]);
});

test("it shows the sentence in both languages, four heads and four answers", async () => {
  const page = await open();
  assert.equal(await page.waited(), "ready");
  assert.equal(page.sentence(), "犬が猫と鳥を馬に見せた。");
  assert.equal(
    page.find(".cb-english").textContent,
    "The dog, together with the cat, showed the bird to the horse.",
  );
  assert.equal(page.weights().length, 16);
  assert.equal(page.switches().filter(({ checked }) => checked).length, 4);
  const { animals } = fixture.cases[0];
  assert.deepEqual(page.answers(), animals.map((/** @type {number} */ i) => fixture.state.animals[i][0]));
  assert.deepEqual(page.errors, []);
});

test("switches, choices and changes of place move the answers, and Reset brings all back", async () => {
  const page = await open();
  await page.waited();
  const picture = () => [page.sentence(), page.weights(), page.answers(), page.all(".cb-share").map((n) => n.textContent)];
  const first = picture();
  page.turn(1);
  assert.equal(page.switches()[1].checked, false);
  assert.deepEqual(page.weights(), first[1]);
  const { animals } = fixture.cases[1];
  assert.deepEqual(page.answers(), animals.map((/** @type {number} */ i) => fixture.state.animals[i][0]));
  assert.equal(page.all('.cb-weight[data-on="false"]').length, 4);
  page.choose(".cb-animal", 0, 5);
  assert.equal(page.sentence(), "猿が猫と鳥を馬に見せた。");
  page.all(".cb-phrase button")[0].click();
  assert.equal(page.sentence(), "猫と猿が鳥を馬に見せた。");
  assert.match(page.find(".cb-english").textContent ?? "", /^The monkey, together with the cat,/);
  page.reset();
  assert.deepEqual(picture(), first);
  assert.ok(page.switches().every(({ checked }) => checked));
});

test("two phrases with one particle are no sentence of the training, and are judged as they stand", async () => {
  const page = await open();
  await page.waited();
  page.choose(".cb-particle", 1, 0);
  assert.equal(page.sentence(), "犬が猫が鳥を馬に見せた。");
  assert.match(page.find(".cb-english").textContent ?? "", /missing .* twice/);
  assert.match(page.verdicts()[0] ?? "", /it is dog or cat$/);
  assert.match(page.verdicts()[3] ?? "", /nobody$/);
});

test("a phrase changes place without changing what the heads take from it", async () => {
  const page = await open();
  await page.waited();
  const before = page.weights();
  page.all(".cb-phrase button")[2].click();
  const after = page.weights();
  for (let row = 0; row < 16; row += 4) {
    assert.deepEqual(
      [after[row], after[row + 1], after[row + 2], after[row + 3]],
      [before[row], before[row + 1], before[row + 3], before[row + 2]],
    );
  }
});

test("the figure is told in words", async () => {
  const page = await open({ on: [true, false, true, true] });
  await page.waited();
  const said = page.all(".cb-heads-view > [role=status]").map((node) => node.textContent).join(" ");
  assert.match(said, /犬が猫と鳥を馬に見せた。 who: \w+.*, \d+ percent, /);
  assert.match(said, /Head 1 takes \d+ percent from .[がをにと]\. Head 2 is off\./);
});

test("weights that cannot be loaded are told, and asked for again", async () => {
  const { sha256 } = fixture.state.models.four;
  const page = await open({ models: { four: { sha256 } } });
  assert.equal(await page.waited(), "failed");
  assert.match(page.find(".cb-waiting").textContent ?? "", /could not be loaded: .*models\/four\.js/);
  page.find(".cb-waiting button").click();
  assert.equal(page.find(".cb-heads-view").dataset.state, "loading");
  assert.equal(await page.waited(), "failed");
});
