/** The live Transformer in a page as the site makes it, with the chapter's trained model. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RUNNING, fresh, faults, open } from "./live-page.js";
import { wordsOf } from "./models.js";

const words = wordsOf("live_transformer");
const DOG_CHASED = "犬は猫を追いました。(end)";
/** A sentence of which a beam makes another one. */
const PARK = "this prince slept in his park.";
const PARK_GREEDY = "この王子は公園で自分の公園で自分の古い公園で眠りました。";
const BEAM = "beam: keep the 4 best beginnings";

test.after(() => assert.deepEqual(faults(), []));

test("a sentence is translated as it is typed, told in words, and Reset brings the author's back", async () => {
  const page = await fresh();
  assert.equal(page.translation(), RUNNING);
  await page.type("the dog chased the cat.");
  assert.equal(page.translation(), DOG_CHASED);
  await page.type("the cat chased the dog");
  assert.equal(page.translation(), "猫は犬を追いました。(end)");
  await page.until(() => !!page.find(".cb-hidden[role=status]").textContent?.includes("In Japanese: 猫は犬を追いました。"));
  await page.press("Reset");
  assert.equal(page.translation(), RUNNING);
  const select = /** @type {HTMLSelectElement} */ (page.find("select"));
  select.value = "2";
  select.dispatchEvent(new page.window.Event("change"));
  await page.drawn();
  assert.equal(page.source(), "a fox always sleeps . (end)");
});

test("an unknown word is explained, and one of those spelled like it takes its place", async () => {
  const page = await fresh();
  await page.type("the dag chased the cat.");
  assert.equal(page.translation(), RUNNING); // what stood there stays
  assert.match(page.find(".cb-complaint").textContent ?? "", /does not know “dag”: it has learned \d+ words\. .*dog/);
  await page.press("dag → dog");
  assert.equal(page.translation(), DOG_CHASED);
  assert.equal(page.find(".cb-complaint").textContent, "");
  await page.type("<b>dog</b>");
  assert.equal(page.all(".cb-complaint b").length, 0);
  await page.type("dog ".repeat(40));
  assert.match(page.find(".cb-complaint").textContent ?? "", /at most 32/);
  const unread = () => page.all(".cb-unread").length === 1 && !!page.find(".cb-trouble").textContent?.endsWith(words.unread);
  assert.ok(unread());
  await page.type("the elephant slept.");
  assert.match(page.find(".cb-complaint").textContent ?? "", /“elephant”, nor a word that is spelled alike: .* such as dog, fox, /);
  assert.equal(page.all(".cb-repairs button").length, 0);
  assert.ok(unread());
  await page.type("");
  assert.ok(page.find(".cb-complaint").textContent === words.empty && unread());
  assert.equal(page.translation(), DOG_CHASED);
  page.find(".cb-field input").blur();
  await page.drawn();
  assert.equal(/** @type {HTMLInputElement} */ (page.find(".cb-field input")).value, "the dog chased the cat.");
  assert.deepEqual([page.find(".cb-trouble").textContent, page.all(".cb-unread").length], ["", 0]);
});

test("every switch changes the model, and restores it", async () => {
  const page = await fresh();
  const now = () => `${page.translation()} ${page.chances()}`;
  const before = now();
  const parts = [1, 2].flatMap((layer) => [`layer ${layer}`, ...[1, 2, 3, 4].map((head) => `head ${head} of layer ${layer} is on`)]);
  let names = [words.scale, words.positions, words.residuals, ...parts];
  let moved = 0;
  for (const kind of Object.values(words.kinds)) {
    await page.press(kind, ".cb-tabs button");
    for (const name of names) {
      page.box(name).click();
      await page.drawn();
      moved += Number(now() !== before);
      assert.notEqual(page.find(".cb-verdict").textContent, words.nothing_changed, name);
      assert.equal(page.find(".cb-untouched").hidden, false);
      page.box(name).click();
      await page.drawn();
      assert.equal(now(), before);
      assert.equal(page.find(".cb-verdict").textContent, words.nothing_changed);
    }
    names = parts;
  }
  assert.ok(moved >= 20, `${moved} of 33: some heads matter little for this sentence`);
  const slider = /** @type {HTMLInputElement} */ (page.find("input[type=range]"));
  slider.value = "4";
  slider.dispatchEvent(new page.window.Event("input", { bubbles: true }));
  await page.drawn();
  assert.notEqual(now(), before);
  assert.match(page.find(".cb-verdict").textContent ?? "", /^Changed: temperature 4\.00\. [1-9] words? of the untouched model (is|are) gone, /);
  assert.match(page.find(".cb-untouched").textContent ?? "", /猫/);
  await page.press(words.restore);
  assert.equal(now(), before);
});

test("a word is forced, with a beam too, and given free", async () => {
  const page = await fresh();
  const [first] = page.all(".cb-written button");
  first.click();
  await page.drawn();
  const offered = page.all(".cb-alternative").filter((node) => !node.hidden);
  assert.equal(offered.length, 5);
  const other = offered[1].querySelector(".cb-word")?.textContent ?? "";
  offered[1].click();
  await page.drawn();
  assert.ok(page.translation().startsWith(other));
  assert.equal(page.all(".cb-written .cb-forced").length, 1);
  assert.ok(page.find(".cb-verdict").textContent?.startsWith(`Changed: ${other} forced.`));
  page.box(BEAM).click();
  await page.drawn();
  assert.ok(page.translation().startsWith(other));
  await page.press(words.release);
  assert.equal(page.translation(), RUNNING);
});

test("a beam is told from greedy writing, where it writes the same and where it does not", async () => {
  const page = await fresh();
  await page.type(PARK);
  assert.equal(page.translation(), `${PARK_GREEDY}(end)`);
  page.box(BEAM).click();
  await page.drawn();
  assert.equal(page.translation(), "この王子は自分の公園で眠りました。(end)");
  assert.ok(page.find(".cb-verdict").textContent?.endsWith(`greedy writing: that gives ${PARK_GREEDY}`));
  await page.type("the dog chased the cat.");
  assert.match(page.find(".cb-verdict").textContent ?? "", /keeps the 4 best beginnings .* the same words as greedy/);
});

test("the translation grows by itself until the reader takes over", async () => {
  const page = await fresh();
  await page.press(words.write_again);
  assert.equal(page.translation(), "犬");
  assert.equal(page.find(".cb-verdict").textContent, words.nothing_changed);
  await page.until(() => page.translation() === "犬が");
  await page.press(words.word_back);
  assert.equal(page.translation(), "犬");
  assert.equal(page.all(".cb-query li").length, 1);
  assert.ok(page.all(".cb-growing button").some((node) => node.textContent === words.write_again));
  for (let i = 0; i < 20; i++) await page.press(words.word_next);
  assert.equal(page.translation(), RUNNING);
});

test("whoever wants no motion lets it grow by hand, a word at each press", async () => {
  const page = await open({ still: true });
  await page.press(words.write_again);
  assert.equal(page.translation(), "犬");
  assert.ok(!page.all("button").some((node) => node.textContent === words.pause));
  await page.press(words.write_again);
  assert.equal(page.translation(), "犬が");
  await page.press(words.word_next);
  assert.equal(page.translation(), "犬が歩い");
  for (let i = 0; i < 11; i++) await page.press(words.write_again);
  assert.equal(page.translation(), RUNNING);
  await page.press(words.write_again);
  assert.equal(page.translation(), "犬");
});

test("a word is opened: its look-up, and its vector after each part", async () => {
  const page = await fresh();
  const way = /** @type {HTMLDetailsElement} */ (page.find("details.cb-opened"));
  way.open = true;
  page.all(".cb-written button")[6].click();
  await page.drawn();
  await page.until(() => page.all(".cb-look-up tbody tr").length === 13);
  assert.match(page.find(".cb-way .cb-heading").textContent ?? "", /猫 in Japanese → English, layer 2, head 4/);
  const weights = page.all(".cb-look-up tbody tr").map((row) => row.children[3].textContent);
  assert.equal(weights[10], ">.99");
  assert.ok(weights.every((weight, i) => i === 10 || weight === "<.01"));
  assert.equal(page.all(".cb-stages li").length, 7);
  assert.match(page.all(".cb-stages li")[6].textContent ?? "", /猫/);
  await page.press(words.mean);
  assert.equal(page.find(".cb-way .cb-note").textContent, words.way_mean);
  page.all(".cb-tokens:not(.cb-written) button")[2].click();
  await page.drawn();
  assert.equal(page.all(".cb-guess").length, 0);
});

test("the decoder sees nothing of the future", async () => {
  const page = await fresh();
  await page.press(words.kinds.decoder, ".cb-tabs button");
  page.all(".cb-written button")[3].click();
  await page.drawn();
  const weights = page.all(".cb-key .cb-weight").map((node) => node.textContent);
  assert.ok(weights.slice(0, 4).some(Boolean));
  assert.ok(!weights.slice(4).some(Boolean));
});

test("words are moved and taken away by keyboard", async () => {
  const page = await fresh();
  await page.type("the dog chased the cat.");
  const press = async (/** @type {number} */ word, /** @type {KeyboardEventInit} */ key) => {
    page.all(".cb-tokens:not(.cb-written) button")[word].dispatchEvent(new page.window.KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...key }));
    await page.drawn();
  };
  await press(1, { key: "ArrowRight", shiftKey: true });
  assert.equal(page.source(), "the chased dog the cat . (end)");
  await press(5, { key: "ArrowRight", shiftKey: true }); // the end stays where it is
  assert.equal(page.source(), "the chased dog the cat . (end)");
  await press(2, { key: "Delete" });
  assert.equal(page.source(), "the chased the cat . (end)");
});

test("words are moved and taken away by buttons, as on a phone", async () => {
  const page = await fresh();
  await page.type("the dog chased the cat.");
  assert.equal(page.find(".cb-tools").hidden, true);
  page.all(".cb-tokens:not(.cb-written) button")[1].click();
  await page.drawn();
  assert.match(page.find(".cb-tools").textContent ?? "", /dog$/);
  for (let i = 0; i < 3; i++) await page.press(words.word_right, ".cb-tools button");
  assert.equal(page.source(), "the chased the cat dog . (end)");
  for (let i = 0; i < 3; i++) await page.press(words.word_right, ".cb-tools button");
  assert.equal(page.source(), "the chased the cat . dog (end)");
  for (let i = 0; i < 9; i++) await page.press(words.word_left, ".cb-tools button");
  assert.equal(page.source(), "dog the chased the cat . (end)");
  for (let i = 0; i < 9; i++) await page.press(words.word_away, ".cb-tools button");
  assert.equal(page.source(), ". (end)");
});

test("other models stand beside it, one of which knows no order", async () => {
  const page = await fresh();
  /** @type {HTMLDetailsElement} */ (page.find("details.cb-beside")).open = true;
  const rows = () => page.all(".cb-beside li").map((row) => [...row.querySelectorAll(".cb-word")].map((word) => word.textContent).join(""));
  await page.until(() => rows().length === 4 && rows().every(Boolean));
  // a beam is this model's alone: beside the others it writes greedily, as they do
  page.box(BEAM).click();
  const [first] = rows();
  await page.type(PARK);
  await page.until(() => rows()[0] !== first);
  assert.equal(rows()[0], PARK_GREEDY);
  assert.notEqual(page.translation(), `${PARK_GREEDY}(end)`);
  page.box(BEAM).click();
  /** @type {string[][]} */
  const said = [];
  for (const sentence of ["the dog chased the cat.", "the cat chased the dog."]) {
    const old = rows()[3];
    await page.type(sentence);
    await page.until(() => rows()[3] !== old);
    said.push(rows());
    assert.equal(`${rows()[0]}(end)`, page.translation());
  }
  const same = said[0].map((row, i) => row === said[1][i]);
  assert.deepEqual(same, [false, true, false, false]);
  assert.match(page.all(".cb-beside .cb-notes").map((node) => node.textContent).join("; "), /inu, dog/);
});

test("a link carries the sentence and the settings", async () => {
  const page = await fresh();
  await page.type("the cat slept.");
  page.box(words.positions).click();
  page.box("head 2 of layer 1 is on").click();
  page.all(".cb-look")[1].click();
  page.all(".cb-written button")[0].click();
  await page.drawn();
  page.all(".cb-alternative")[1].click();
  await page.drawn();
  await page.press(words.copy_link);
  assert.equal(page.find(".cb-ways-back .cb-note").textContent, words.in_address); // jsdom has no clipboard
  const other = await open({ hash: page.address() });
  for (const what of /** @type {const} */ (["source", "translation", "chances"])) assert.equal(other[what](), page[what]());
  assert.equal(other.box(words.positions).checked, false);
  assert.equal(other.box("head 2 of layer 1 is on").checked, false);
  assert.equal(other.all(".cb-look")[1].getAttribute("aria-pressed"), "true");
});

test("bad links do no harm", async () => {
  const page = await open({ hash: "#live?%E0%A4%A" });
  const bad = [
    "#live?s=the+unicorn+slept&temperature=hot&off=everything&force=99+x&map=a+b+c&beam=7",
    "#live?s=&temperature=-3&map=cross+9+9",
    `#live?s=${"+dog".repeat(200)}`,
    "#live?temperature=NaN&force=__proto__+x",
    "#step-99",
    "#step-0",
    "#step-x",
  ];
  for (const hash of bad) {
    await page.follow(hash);
    assert.equal(page.translation(), RUNNING, hash);
    assert.equal(page.find(".cb-verdict").textContent, words.nothing_changed);
  }
});
