import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  createNetwork,
  distances,
  likeliest,
  typedNames,
} from "../src/figures/recurrent-reader/state.js";
import { openPage } from "./page.js";

const networks = JSON.parse(
  readFileSync(new URL("fixtures/recurrent-reader.json", import.meta.url), "utf8"),
);

/** @param {number[]} actual @param {number[]} expected @param {string} what */
function close(actual, expected, what) {
  assert.equal(actual.length, expected.length, what);
  actual.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) < 1e-8, `${what}[${i}]`));
}

test("states, expectations and distances are Python's", () => {
  assert.ok(networks.length >= 3);
  for (const { readings, ...data } of networks) {
    const network = createNetwork(data);
    const original = network.read(data.example.tokens).states;
    assert.ok(readings.length >= 3);
    for (const { tokens, step, states, expected, moved } of readings) {
      const reading = network.read(tokens);
      reading.states.forEach((state, t) => close(state, states[t], `${tokens}: state ${t}`));
      close(reading.expected[step], expected, `${tokens}: expected`);
      close(distances(reading.states, original), moved, `${tokens}: moved`);
    }
  }
});

test("an edit moves no state before it", () => {
  const { readings, ...data } = networks[2];
  const network = createNetwork(data);
  const tokens = data.example.tokens;
  for (let place = 0; place < tokens.length; place++) {
    const other = tokens.map((/** @type {string} */ old, /** @type {number} */ t) =>
      t === place ? "犬" : old,
    );
    const moved = distances(network.read(other).states, network.read(tokens).states);
    moved.forEach((distance, t) => assert.equal(distance > 0, t >= place, `${place}, ${t}`));
  }
});

test("the likeliest come first; names are token, reading and meaning, the more frequent first", () => {
  assert.deepEqual(likeliest([0.1, 0.5, 0.15, 0.25], 3), [1, 3, 2]);
  const known = typedNames({
    vocabulary: ["と", "いる", "い"],
    names: [
      ["to", "with / when"],
      ["iru", "be"],
      ["i", "be"],
    ],
  });
  for (const [name, token] of [
    ["と", "と"],
    ["to", "と"],
    ["when", "と"],
    ["with", "と"],
    ["be", "いる"],
    ["i", "い"],
  ]) {
    assert.equal(known.get(name), token, name);
  }
});

/** @param {object} [changes] */
async function open(changes) {
  const { readings, ...data } = networks[0];
  const saved = {
    figure: "recurrent-reader",
    ...data,
    changes: [
      [0, "本"],
      [2, "犬"],
    ],
    ...data.example,
    ...changes,
  };
  const { document, window, errors } = await openPage({ one: saved });
  const find = (/** @type {string} */ selector) => {
    const node = document.querySelector(selector);
    assert.ok(node, selector);
    return /** @type {HTMLInputElement} */ (node);
  };
  const all = (/** @type {string} */ selector) =>
    /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);
  return {
    document,
    errors,
    find,
    all,
    text: (/** @type {string} */ selector) => find(selector).textContent ?? "",
    tokens: () => all(".cb-token").map((node) => node.textContent),
    step: () => all(".cb-step").findIndex((node) => node.getAttribute("aria-checked") === "true"),
    moved: () => all(".cb-bar").map((node) => Number(node.title)),
    button: (/** @type {string} */ name) =>
      /** @type {HTMLButtonElement} */ (all("button").find((node) => node.textContent === name)),
    press(/** @type {string} */ selector, /** @type {KeyboardEventInit} */ key) {
      const event = new window.KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...key });
      find(selector).dispatchEvent(event);
      return event;
    },
    type(/** @type {string} */ text) {
      const input = find(".cb-type input");
      input.focus();
      input.value = text;
      input.dispatchEvent(new window.InputEvent("input", { bubbles: true }));
    },
    choose(/** @type {string} */ token) {
      const select = find("select");
      select.value = token;
      select.dispatchEvent(new window.Event("change", { bubbles: true }));
    },
  };
}

const SENTENCE = ["犬", "が", "猫", "と", "。"];

test("it shows the sentence, its states and what is expected", async () => {
  const { tokens, all, text, find, errors } = await open();
  assert.deepEqual(tokens(), SENTENCE);
  assert.equal(all(".cb-heat rect").length, 5 * 4);
  const { states } = networks[0].readings[0];
  const opacity = Number(all(".cb-heat rect")[6].getAttribute("fill-opacity"));
  assert.ok(Math.abs(opacity - Math.abs(states[1][2])) < 0.001);
  assert.match(text(".cb-heading"), /After 犬 \(inu, dog\) it expects/);
  assert.equal(find(".cb-heading span").getAttribute("lang"), "ja");
  assert.equal(all(".cb-guesses .cb-row").length, 5);
  assert.match(text(".cb-came"), /next in the sentence\s*が/);
  assert.match(text(".cb-moved-by"), /Edit a token/);
  assert.ok(find(".cb-mark").hidden && find(".cb-note").hidden);
  assert.ok(!all("option").some((node) => node.textContent?.includes("<pad>")));
  assert.deepEqual(errors, []);
});

test("steps by buttons, by a click and by keys", async () => {
  const { button, step, press, all, document, find } = await open();
  assert.equal(step(), 0);
  assert.equal(button("Back").getAttribute("aria-disabled"), "true");
  button("Back").click();
  assert.equal(step(), 0);
  button("Next").click();
  assert.equal(step(), 1);
  all(".cb-step")[3].click();
  assert.equal(step(), 3);
  const event = press(".cb-step[aria-checked=true]", { key: "ArrowRight" });
  assert.ok(event.defaultPrevented);
  assert.equal(step(), 4);
  assert.equal(document.activeElement, all(".cb-step")[4]);
  assert.equal(button("Next").getAttribute("aria-disabled"), "true");
  assert.ok(find(".cb-came").hidden, "behind the last token nothing comes");
  assert.ok(!find(".cb-note").hidden, "and nothing was learned");
  press(".cb-step[aria-checked=true]", { key: "ArrowRight" });
  assert.equal(step(), 4);
  press(".cb-step[aria-checked=true]", { key: "Home" });
  assert.equal(step(), 0);
  press(".cb-step[aria-checked=true]", { key: "End" });
  assert.equal(step(), 4);
  assert.ok(!press(".cb-step[aria-checked=true]", { key: "ArrowLeft", ctrlKey: true }).defaultPrevented);
  assert.equal(all(".cb-step[tabindex='0']").length, 1);
});

test("a token is replaced from the list; later states move, earlier ones do not", async () => {
  const { all, choose, tokens, moved, text, find, button } = await open();
  all(".cb-step")[2].click();
  choose("本");
  assert.deepEqual(tokens(), ["犬", "が", "本", "と", "。"]);
  assert.deepEqual(moved().slice(0, 2), [0, 0]);
  assert.ok(Math.min(...moved().slice(2)) > 0);
  assert.match(text(".cb-moved-by"), /At step 3 the state has moved by \d\.\d+\. A full bar is \d\.\d+/);
  assert.match(all(".cb-step")[2].getAttribute("aria-label") ?? "", /本.*in place of 猫/);
  assert.equal(all(".cb-old")[2].textContent, "猫");
  assert.ok(!find(".cb-mark").hidden);
  button("Back").click();
  assert.match(text(".cb-moved-by"), /At step 2 the state has not moved/);
  assert.equal(find("select").value, "が");
});

test("a token is typed as it is written, read or meant", async () => {
  const { type, tokens } = await open();
  for (const [text, token] of [
    ["本", "本"],
    ["neko", "猫"],
    ["ＢＥＥ", "bee"],
    ["with", "と"],
  ]) {
    type(text);
    assert.equal(tokens()[0], token, text);
  }
});

test("an unknown word is refused in words, with the nearest, and changes nothing", async () => {
  const { type, find, text, tokens, button } = await open();
  type("nekko<b>");
  find(".cb-type input").blur();
  assert.match(text(".cb-complaint"), /“nekko<b>” is not one of the 9 tokens.*neko/);
  assert.equal(find(".cb-complaint").children.length, 0);
  assert.deepEqual(tokens(), SENTENCE);
  assert.equal(find(".cb-type input").value, "");
  button("Next").click();
  assert.equal(text(".cb-complaint"), "");
});

test("ready-made edits start from the author's sentence; Reset brings it back", async () => {
  const { button, tokens, step, moved, all } = await open();
  const edit = (/** @type {string} */ name) =>
    /** @type {HTMLButtonElement} */ (all(".cb-edits button").find((node) => node.textContent === name));
  edit("犬 → 本").click();
  assert.deepEqual(tokens(), ["本", "が", "猫", "と", "。"]);
  assert.equal(edit("犬 → 本").getAttribute("aria-pressed"), "true");
  edit("猫 → 犬").click();
  assert.deepEqual(tokens(), ["犬", "が", "犬", "と", "。"]);
  assert.equal(step(), 2);
  assert.equal(edit("犬 → 本").getAttribute("aria-pressed"), "false");
  button("Reset").click();
  assert.deepEqual(tokens(), SENTENCE);
  assert.equal(step(), 0);
  assert.deepEqual(moved(), [0, 0, 0, 0, 0]);
});

test("the bars of all edits have one scale", async () => {
  const { button, all, moved, text } = await open();
  const heights = () => all(".cb-bar").map((node) => Number.parseFloat(node.style.height));
  const seen = ["犬 → 本", "猫 → 犬"].map((name) => {
    button(name).click();
    const full = Number(/full bar is (\d\.\d+)/.exec(text(".cb-moved-by"))?.[1]);
    const most = moved().indexOf(Math.max(...moved()));
    return { full, largest: moved()[most], height: heights()[most] };
  });
  const [one, other] = seen;
  assert.equal(one.full, other.full);
  assert.ok(Math.abs(Math.max(one.largest, other.largest) - one.full) < 0.006);
  assert.ok(Math.abs(one.height / other.height - one.largest / other.largest) < 0.01);
  assert.ok(Math.abs(one.height - other.height) > 1);
});

test("the picture in words follows when the reader has come to rest", async () => {
  const { find, button } = await open();
  const words = () => find(".cb-hidden[role=status]").textContent ?? "";
  assert.match(words(), /Step 1 of 5: 犬 \(inu, dog\)\. Expected next: /);
  button("Next").click();
  await new Promise((wake) => setTimeout(wake, 750));
  assert.match(words(), /Step 2 of 5: が/);
});
