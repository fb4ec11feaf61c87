import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { amount, share } from "../src/figures/influence-view/label.js";
import { answer, influences, read } from "../src/lib/influence.js";
import { openPage } from "./page.js";

const cases = JSON.parse(readFileSync(new URL("fixtures/influence-view.json", import.meta.url), "utf8"));

/** What a notebook keeps of an `InfluenceView`. @param {object} [changes] */
function saved(changes = {}) {
  const turned = { sentence: [0, 1, 2, 1], network: 0, focus: 2 };
  return {
    figure: "influence-view",
    vocabulary: ["犬", "が", "<b>x</b>"],
    readings: ["inu", "ga", ""],
    glosses: ["dog", "(subject)", "bold"],
    names: ["one way", "both ways", "stacked", "stacked both ways"],
    networks: cases.map((/** @type {any} */ one) => one.network),
    classes: ["yes", "no"],
    example: turned,
    ...turned,
    ...changes,
  };
}

/** @param {object} [changes] */
async function open(changes) {
  const { document, window, errors } = await openPage({ one: saved(changes) });
  const all = (/** @type {string} */ selector) =>
    /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);
  const find = (/** @type {string} */ selector) => {
    const [node] = all(selector);
    assert.ok(node, selector);
    return node;
  };
  return {
    document,
    errors,
    all,
    find,
    tokens: () => all(".cb-tokens [role=radio]"),
    networks: () => all(".cb-networks [role=radio]"),
    numbers: () => all(".cb-tokens .cb-number").map((node) => node.textContent),
    reach: () => all(".cb-tokens [role=radio]").map((node) => node.dataset.reach),
    said: () => find(".cb-said").textContent ?? "",
    chosen: (/** @type {HTMLElement[]} */ buttons) =>
      buttons.map((node) => node.getAttribute("aria-checked")).indexOf("true"),
    press(/** @type {string} */ key, /** @type {KeyboardEventInit} */ more = {}) {
      const options = { key, bubbles: true, cancelable: true, ...more };
      document.activeElement?.dispatchEvent(new window.KeyboardEvent("keydown", options));
    },
    write(/** @type {string} */ value) {
      const select = /** @type {HTMLSelectElement} */ (find("select"));
      select.value = value;
      select.dispatchEvent(new window.Event("change", { bubbles: true }));
    },
  };
}

test("influence and answers are PyTorch's, and what is out of reach is no number", () => {
  assert.equal(cases.length, 4);
  for (const { network, sentence, influence, answers } of cases) {
    const reading = read(network, sentence);
    influences(reading).forEach((row, t) => {
      row.forEach((found, s) => {
        assert.equal(found === null, influence[t][s] === 0, `[${t}, ${s}]`);
        assert.ok(Math.abs((found ?? 0) - influence[t][s]) <= 1e-5, `[${t}, ${s}]: ${found}`);
      });
      answer(network, reading, t).forEach((found, c) => {
        assert.ok(Math.abs(found - answers[t][c]) <= 1e-5, `answer ${t}, ${c}: ${found}`);
      });
    });
  }
});

test("numbers: nothing, almost nothing, and shares never rounded up to all", () => {
  assert.deepEqual([0, 0.001, 0.07, 1.239].map(amount), ["0", "<.01", ".07", "1.24"]);
  assert.deepEqual([0, 0.4, 0.999].map(share), ["0", ".40", ">.99"]);
});

test("one way, later words are out of reach; both ways, all are within", async () => {
  const { reach, numbers, networks, said, errors, chosen } = await open();
  assert.deepEqual(reach(), ["before", "before", "own", "none"]);
  assert.equal(numbers()[3], "0");
  assert.match(said(), /One word is out of reach/);
  const before = numbers();
  networks()[1].click();
  assert.equal(chosen(networks()), 1);
  assert.deepEqual(reach(), ["before", "before", "own", "after"]);
  assert.match(said(), /Every word is within reach/);
  assert.notDeepEqual(numbers(), before);
  networks()[2].click();
  assert.deepEqual(reach(), ["before", "before", "own", "none"]);
  networks()[3].click();
  assert.deepEqual(reach(), ["before", "before", "own", "after"]);
  assert.deepEqual(errors, []);
});

test("the tallest bar is as high as its place", async () => {
  const { all } = await open({ network: 1 });
  const heights = all(".cb-tokens .cb-bar").map((bar) => Number(bar.style.getPropertyValue("--share")));
  assert.equal(Math.max(...heights), 1);
  assert.ok(heights.every((height) => height > 0));
});

test("another word is another picture, and Reset brings the first one back", async () => {
  const made = { sentence: [0, 1, 2, 1], network: 1, focus: 2 };
  const { write, numbers, said, find, tokens, document } = await open({ ...made, example: made });
  const before = [numbers(), said(), find(".cb-answers").textContent];
  tokens()[3].click();
  write("0");
  assert.equal(tokens()[3].querySelector(".cb-word")?.textContent, "犬");
  tokens()[2].click();
  assert.notDeepEqual(numbers(), before[0]);
  assert.notEqual(said(), before[1]);
  /** @type {HTMLElement} */ (document.querySelector(".cb-editing button")).click();
  assert.deepEqual([numbers(), said(), find(".cb-answers").textContent], before);
});

test("one way, a later word changes nothing; both ways, it does", async () => {
  for (const [network, same] of /** @type {[number, boolean][]} */ ([[0, true], [1, false]])) {
    const { write, numbers, tokens } = await open({ network });
    const before = numbers();
    tokens()[3].click();
    write("0");
    tokens()[2].click();
    assert.equal(JSON.stringify(numbers()) === JSON.stringify(before), same);
  }
});

test("arrow keys choose words and networks, with one stop of the tab key each", async () => {
  const { tokens, networks, chosen, press, document } = await open();
  tokens()[2].focus();
  press("ArrowRight");
  assert.equal(chosen(tokens()), 3);
  press("ArrowRight");
  assert.equal(chosen(tokens()), 0);
  press("End");
  assert.equal(document.activeElement, tokens()[3]);
  press("ArrowLeft", { ctrlKey: true });
  press("x");
  assert.equal(chosen(tokens()), 3);
  assert.deepEqual(tokens().map((node) => node.tabIndex), [-1, -1, -1, 0]);
  networks()[0].focus();
  press("ArrowUp");
  assert.equal(chosen(networks()), 3);
});

test("Japanese is marked, with reading and gloss; no word becomes markup", async () => {
  const { tokens, all, find, said } = await open({ network: 1 });
  assert.match(tokens()[0].textContent ?? "", /^犬 inu dog /);
  assert.deepEqual(
    all(".cb-tokens .cb-word span").map((node) => node.getAttribute("lang")),
    ["ja", "ja", null, "ja"],
  );
  assert.equal(all(".cb-figure b").length, 0);
  assert.match(said(), /^Read both ways, the feature of <b>x<\/b> \(bold\) depends most on /);
  assert.equal(find("[role=status]").textContent, said());
  const options = all("option").map((node) => node.textContent);
  assert.deepEqual(options, ["犬 (inu, dog)", "が (ga, subject)", "<b>x</b> (bold)"]);
});
