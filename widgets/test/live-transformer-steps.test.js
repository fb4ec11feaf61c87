/** The tour of the live Transformer in a page: taken, left and resumed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RUNNING, fresh, faults, open, state } from "./live-page.js";
import { wordsOf } from "./models.js";

const words = wordsOf("live_transformer");

test.after(() => assert.deepEqual(faults(), []));

test("the tour is taken step by step, left, resumed and linked to", async () => {
  const page = await fresh();
  const title = () => page.find(".cb-tour .cb-heading").textContent ?? "";
  await page.press(words.tour_start);
  const seen = new Set();
  for (let step = 1; step <= 11; step++) {
    assert.ok(title().startsWith(`${step} of 11.`));
    assert.equal(page.address(), `#step-${step}`);
    assert.doesNotMatch(page.find(".cb-tour").textContent ?? "", /[{}]/);
    await page.press(words.tour_show);
    seen.add(`${page.source()} ${page.translation()}`);
    const now = page.translation().replace("(end)", "");
    assert.ok(page.find(".cb-tour-now").textContent?.includes(now), "the card says what is written");
    if (step === 9) assert.match(page.find(".cb-tour-now").textContent ?? "", /(まし){12} … and 34 more$/);
    if (page.all(".cb-tour button").some((node) => node.textContent === words.tour_other)) {
      await page.press(words.tour_other);
      seen.add(`${page.source()} ${page.translation()}`);
    }
    if (step < 11) await page.press(words.tour_next);
  }
  assert.ok(seen.size >= 10);
  await page.press(words.tour_leave);
  assert.doesNotMatch(page.address(), /#/);
  assert.equal(page.find(".cb-tour").hidden, true);
  const linked = await open({ hash: "#step-4" });
  assert.match(linked.find(".cb-tour .cb-heading").textContent ?? "", /^4 of 11\./);
  await linked.press(words.tour_back);
  assert.equal(linked.address(), "#step-3");
});

test("each step of the tour begins with what it speaks of, and leaving gives the reader's own back", async () => {
  const page = await fresh();
  await page.type("a fox always sleeps.");
  page.box(words.positions).click();
  await page.drawn();
  const mine = () => [page.source(), page.translation(), page.chances()].join();
  const before = mine();
  await page.press(words.tour_start);
  const change = async () => {
    await page.type("there was a white rabbit in the town.");
    page.box(words.residuals).click();
    page.box("head 2 of layer 1 is on").click();
    page.all(".cb-written button")[0].click();
    await page.drawn();
    page.all(".cb-alternative")[1].click();
    await page.drawn();
  };
  await change();
  for (let step = 2; step <= 11; step++) {
    await page.press(words.tour_next);
    const chased = step === 7 || step === 8;
    assert.equal(page.source(), chased ? "the cat chased the dog . (end)" : `${state.example.sentence.join(" ")} (end)`);
    assert.equal(page.translation(), chased ? "猫は犬を追いました。(end)" : RUNNING);
    assert.equal(page.find(".cb-verdict").textContent, words.nothing_changed);
    await page.press(words.tour_show);
    if (step === 2 || step === 9) await change();
  }
  await page.press(words.tour_back);
  assert.equal(page.translation(), RUNNING);
  await page.press(words.tour_leave);
  assert.equal(mine(), before);
});
