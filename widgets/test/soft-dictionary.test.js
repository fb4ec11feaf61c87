import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage, saved } from "./page.js";

/** @param {object} [changes] */
async function open(changes) {
  const { document, window, errors } = await openPage({ one: saved(changes) });
  const find = (/** @type {string} */ selector) => {
    const node = document.querySelector(selector);
    assert.ok(node, selector);
    return /** @type {HTMLInputElement} */ (node);
  };
  const all = (/** @type {string} */ selector) => [...document.querySelectorAll(selector)];
  return {
    document,
    errors,
    find,
    all,
    weights: () => all(".cb-weight-number").map((node) => Number(node.textContent)),
    names: () => all(".cb-plane .cb-name").map((node) => node.textContent),
    press(/** @type {string} */ selector, /** @type {KeyboardEventInit} */ key) {
      find(selector).dispatchEvent(new window.KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...key }));
    },
    type(/** @type {string} */ selector, /** @type {string} */ text, leave = true) {
      const input = find(selector);
      input.focus();
      input.value = text;
      input.dispatchEvent(new window.Event("input", { bubbles: true }));
      if (leave) input.dispatchEvent(new window.Event("change", { bubbles: true }));
    },
    click: (/** @type {string} */ selector) => find(selector).click(),
  };
}

const BUTTONS = ".cb-buttons button";
const RESET = `${BUTTONS}:nth-child(2)`;

test("arrow keys move the query; Shift makes longer steps; other keys do nothing", async () => {
  const { press, find, weights } = await open();
  const before = weights();
  const place = () => find(".cb-query").getAttribute("aria-valuetext");
  assert.equal(place(), "x 1.00, y 0.50");
  press(".cb-query", { key: "ArrowLeft" });
  assert.equal(place(), "x 0.90, y 0.50");
  press(".cb-query", { key: "ArrowUp", shiftKey: true });
  assert.equal(place(), "x 0.90, y 1.00");
  assert.notDeepEqual(weights(), before);
  press(".cb-query", { key: "a" });
  press(".cb-query", { key: "ArrowUp", ctrlKey: true });
  assert.equal(place(), "x 0.90, y 1.00");
  for (let i = 0; i < 50; i++) press(".cb-query", { key: "ArrowUp", shiftKey: true });
  const [, y] = place()?.match(/y ([\d.]+)/) ?? [];
  assert.ok(Number(y) < 3, "the query stays in the plane");
});

test("temperature 0 is the hard look-up, and equals share", async () => {
  const { type, weights, find, errors } = await open({ query: [1, 1] });
  type(".cb-slider:nth-child(1) input", "0");
  assert.deepEqual(weights(), [0.5, 0.5, 0]);
  assert.match(find(".cb-slider output").textContent ?? "", /hard/);
  assert.deepEqual(errors, []);
});

test("the scale changes the scores, and is exact at its mark", async () => {
  const { type, all } = await open();
  const score = () => all(".cb-score").map((node) => node.textContent);
  type(".cb-slider:nth-child(2) input", "1");
  assert.deepEqual(score(), ["2.00", "1.00", "−2.00"]);
  type(".cb-slider:nth-child(2) input", "0.71");
  assert.deepEqual(score(), ["1.41", "0.71", "−1.41"]);
  assert.match(all("output")[1].textContent ?? "", /1\/√2/);
});

test("a masked key gets nothing; with all masked the answer is 0 and said to be", async () => {
  const { all, weights, find } = await open();
  const boxes = /** @type {HTMLInputElement[]} */ (all(".cb-mask input"));
  boxes[0].click();
  assert.equal(weights()[0], 0);
  assert.ok(Math.abs(weights()[1] + weights()[2] - 1) < 0.011);
  boxes[1].click();
  boxes[2].click();
  assert.deepEqual(weights(), [0, 0, 0]);
  assert.match(find(".cb-sum").textContent ?? "", /masked.*answer is 0/);
});

test("values are edited; a bad one is refused in words and the last good one kept", async () => {
  const { type, find } = await open();
  const value = ".cb-number";
  type(value, "x<b>", false);
  assert.equal(find(value).getAttribute("aria-invalid"), "true");
  type(value, "x<b>");
  assert.match(find(".cb-complaint").textContent ?? "", /“x<b>” is not a number.*kept 10/);
  assert.equal(find(".cb-complaint").children.length, 0);
  assert.equal(find(value).value, "10");
  type(value, "-4");
  assert.equal(find(value).value, "−4");
  assert.equal(find(".cb-complaint").textContent, "");
  assert.match(find(".cb-sum").textContent ?? "", /×\s−4/);
});

test("keys are renamed, added, moved and removed; reset brings all back", async () => {
  const { type, find, all, names, press, click, weights, document, errors } = await open();
  const before = weights();
  type(".cb-name-cell input", "<i>new</i>");
  assert.equal(names()[0], "<i>new</i>");
  type(".cb-name-cell input", "  ");
  assert.match(find(".cb-complaint").textContent ?? "", /needs a name/);
  assert.equal(names()[0], "<i>new</i>");

  click(`${BUTTONS}:nth-child(1)`);
  assert.equal(names().length, 4);
  assert.equal(/** @type {HTMLInputElement} */ (document.activeElement).value, "key 4");
  const added = ".cb-key:nth-child(4)";
  const place = find(added).getAttribute("aria-valuetext");
  press(added, { key: "ArrowDown" });
  assert.notEqual(find(added).getAttribute("aria-valuetext"), place);

  const colour = (/** @type {Element} */ node) => /** @type {HTMLElement} */ (node).style.getPropertyValue("--colour");
  const colours = all(".cb-key").map(colour);
  click(".cb-row:nth-child(2) .cb-remove");
  assert.deepEqual(names(), ["<i>new</i>", "west", "key 4"]);
  assert.deepEqual(all(".cb-key").map(colour), [colours[0], colours[2], colours[3]]);
  await Promise.resolve();
  assert.equal(document.activeElement?.getAttribute("aria-label"), "remove west");

  click(RESET);
  assert.deepEqual(names(), ["east", "north", "west"]);
  assert.deepEqual(weights(), before);
  assert.deepEqual(errors, []);
});

test("the last key cannot be removed and there is a largest number of keys", async () => {
  const { click, find, names } = await open();
  click(".cb-remove");
  click(".cb-remove");
  assert.equal(names().length, 1);
  assert.ok(find(".cb-remove").disabled);
  for (let i = 0; i < 20; i++) find(BUTTONS).click();
  assert.equal(names().length, 16);
  assert.ok(find(BUTTONS).disabled);
});

test("a key under the pointer or in focus is marked in plane, rows and number line", async () => {
  const { find, all } = await open();
  /** @type {HTMLElement} */ (find(".cb-key:nth-child(2)")).focus();
  assert.equal(all(".cb-marked").length, 3);
  find(".cb-key:nth-child(2)").blur();
  assert.equal(all(".cb-marked").length, 0);
});

test("the picture in words follows when the reader has come to rest", async () => {
  const { press, find } = await open();
  const words = () => find(".cb-hidden[role=status]").textContent ?? "";
  assert.match(words(), /Query at x 1.00, y 0.50. Largest weights: east .*Mixed value: .* points/);
  press(".cb-query", { key: "ArrowLeft" });
  assert.match(words(), /x 1.00/);
  await new Promise((wake) => setTimeout(wake, 750));
  assert.match(words(), /x 0.90/);
});
