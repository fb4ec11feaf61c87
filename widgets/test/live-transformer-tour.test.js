/** The tour of the live Transformer: what each step says is what the chapter's trained model does. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createEngine, createOther, mapOf } from "../src/figures/live-transformer/engine.js";
import { UNTOUCHED, headOf } from "../src/figures/live-transformer/state.js";
import { createStops } from "../src/figures/live-transformer/stops.js";
import { argmax } from "../src/lib/vectors.js";
import { savedIn, weightsOf, wordsOf } from "./models.js";

/** @typedef {import("../src/figures/live-transformer/engine.js").Translation} Translation */
/** @typedef {import("../src/figures/live-transformer/state.js").State} State */

/** @type {import("../src/figures/live-transformer/words.js").Words} */
const words = wordsOf("live_transformer");
const { aligning: found, names, longest, example, notes } = savedIn("11-transformer", "live-transformer");
const aligning = { layer: found[0], head: found[1], share: found[2] };
const engine = createEngine(weightsOf("transformer"), longest);
const texts = words.tour_steps;
const stops = createStops({ words, engine, aligning, others: names.slice(1) });

/** @param {keyof typeof texts} name */
function stopOf(name) {
  const stop = stops.find(({ text }) => text === texts[name]);
  assert.ok(stop, name);
  return stop;
}
/** The translations that a step's states give. @param {keyof typeof texts} name */
const shownBy = (name) => stopOf(name).states.map((state) => engine.translate(state));
/** @param {Translation} translation */
const written = ({ steps }) => steps.map(({ token }) => engine.textOf(token)).filter((word) => word !== engine.stop);
/** @param {Translation} translation */
const text = (translation) => written(translation).join("");
/** @param {Translation} one @param {Translation} other */
const furthest = (one, other) =>
  Math.max(...one.steps.map(({ logProbs }, i) => Math.max(...logProbs.map((x, id) => Math.abs(Math.exp(x) - Math.exp(other.steps[i].logProbs[id]))))));
const untouched = engine.translate({ ...example });
const RUNNING = "犬が歩いていると猫と出会いました。";

test("it has eleven steps, and each does what can be done to this model", () => {
  assert.equal(stops.length, 11);
  assert.equal(text(untouched), RUNNING);
  for (const { text: step, start, states } of stops) {
    assert.ok(states.length === 1 || states.length === 2, step.title);
    const changed = Object.entries(start).filter(([name, value]) => name !== "sentence" && JSON.stringify(value) !== JSON.stringify(/** @type {any} */ (UNTOUCHED)[name]));
    assert.deepEqual(changed, [], `${step.title} begins with the model as it was trained`);
  }
});

test("change: dog and cat change places", () => {
  assert.deepEqual(shownBy("change").map(text), ["猫が歩いていると犬と出会いました。"]);
});

test("align: the head looks at the word that it translates", () => {
  const { kind = "cross", layer = 0, head = 0 } = stopOf("align").view;
  assert.deepEqual([kind, layer, head], ["cross", 1, 3]);
  const map = mapOf(untouched, kind, layer, head);
  for (const [word, partner] of [["犬", "dog"], ["猫", "cat"]]) {
    assert.equal(untouched.source[argmax(map[written(untouched).indexOf(word)])], partner);
  }
  /** Where a word of the translation rests. */
  const rests = (/** @type {number} */ of, /** @type {string} */ word) =>
    untouched.source[argmax(mapOf(untouched, kind, layer, of)[written(untouched).indexOf(word)])];
  const stop = untouched.source[untouched.source.length - 1];
  // those without an English word of their own: が, て, いる, と (when), と (with), まし, た, 。
  const places = [1, 3, 4, 5, 7, 10, 11, 12];
  const own = places.map((place) => [written(untouched)[place], untouched.source[argmax(map[place])]]);
  assert.deepEqual(own.map(([word]) => word).join(""), "がているととました。");
  const resting = own.filter(([, key]) => [stop, ",", "a", "the"].includes(key));
  assert.deepEqual(resting.map(([, key]) => key), ["the", ",", stop, "a", stop, stop]);
  assert.deepEqual(own.filter(([, key]) => key === "met").map(([word]) => word), ["と", "まし"]);
  assert.equal(untouched.source[argmax(map[7])], "met"); // the second と
  for (const other of [0, 1, 2, 3]) {
    assert.deepEqual(["犬", "歩い", "猫"].map((word) => rests(other, word)), ["dog", "walking", "cat"]);
    assert.equal(rests(other, "出") === "met", other === 0 || other === 2);
  }
  assert.equal(rests(head, "出"), stop);
});

test("the page below the figure names the head that aligns best", () => {
  const page = readFileSync(new URL("../../book/live.md", import.meta.url), "utf8").replace(/\s+/g, " ");
  assert.ok(page.includes(`the head that aligns best (${words.kinds.cross}, layer ${aligning.layer + 1}, head ${aligning.head + 1})`));
});

test("mask: above the diagonal there is nothing", () => {
  const { layer = 0 } = stopOf("mask").view;
  mapOf(untouched, "decoder", layer, -1).forEach((row, i) => assert.equal(row.length, i + 1));
});

test("way: one key wins, the mixture is nearly its value, and attention to the English finds 猫", () => {
  const { layer = 0, head = 0, index = 0 } = stopOf("way").view;
  const step = untouched.steps[index];
  assert.equal(engine.textOf(step.token), "猫");
  const asked = step.way.layers[layer].cross;
  assert.ok(asked);
  const [first, second] = Array.from(asked.scores[head]).sort((a, b) => b - a);
  assert.ok(first - second > 5);
  const winner = argmax(asked.weights[head]);
  assert.equal(untouched.source[winner], "cat");
  assert.ok(asked.weights[head][winner] > 0.95);
  const size = asked.mixtures[head].length;
  const value = asked.values[winner].subarray(head * size, (head + 1) * size);
  asked.mixtures[head].forEach((x, i) => assert.ok(Math.abs(x - value[i]) < 0.1 * Math.max(...value.map(Math.abs))));
  const guesses = step.way.vectors.map(({ part, vector }) => [part, engine.textOf(argmax(engine.model.foresee(vector)))]);
  assert.deepEqual([guesses[0], engine.textOf(untouched.steps[index - 1].token)], [["embedding", "出"], "と"]);
  const [part] = guesses[guesses.findIndex(([, guess]) => guess === "猫")];
  assert.match(part, /cross$/);
  assert.ok(guesses.slice(guesses.findIndex(([at]) => at === part)).every(([, guess]) => guess === "猫"));
});

test("force: the decoder goes on from what is written, and both words are on offer", () => {
  assert.deepEqual(shownBy("force").map(text), ["食べた犬が歩いていると猫と出会いました。", RUNNING.replace("犬", "狐")]);
  const offered = engine.alternatives(untouched.steps[0]).map(({ token }) => engine.textOf(token));
  assert.ok(offered.includes("食べ") && offered.includes("狐"));
});

test("soften: words get lost, and no division is a temperature of 1/√d", () => {
  const [soft, sharp] = shownBy("soften");
  assert.ok(!written(soft).includes("猫"));
  const { layer = 0, head = 0 } = stopOf("soften").view;
  const entropy = (/** @type {Translation} */ translation) => {
    const rows = mapOf(translation, "cross", layer, head);
    return rows.reduce((sum, row) => sum - row.reduce((all, x) => all + x * Math.log(x + 1e-12), 0), 0) / rows.length;
  };
  assert.ok(entropy(soft) > 2 * entropy(untouched));
  assert.ok(entropy(sharp) < entropy(untouched) / 2);
  const cold = engine.translate({ ...stopOf("soften").states[1], scale: true, temperature: 1 / 4 });
  assert.ok(furthest(cold, sharp) < 1e-9);
});

test("bag: without positions nothing tells who chased whom", () => {
  const [one, other] = shownBy("bag");
  assert.equal(text(one), text(other));
  assert.ok(texts.bag.notice.includes(text(one).replace("。", "")));
  assert.ok(texts.never.notice.includes(text(one).replace("。", "")));
  assert.ok(furthest(one, other) < 1e-9);
  const [right, alsoRight] = stopOf("never").states.map((state) => text(engine.translate(state)));
  assert.notEqual(right, alsoRight);
  assert.equal([right, alsoRight].filter((sentence) => sentence === text(one)).length, 1);
});

test("never: trained without positions, it writes the same both times, and something of its own", () => {
  const blind = createOther(weightsOf("transformer-no-positions"), longest);
  const [one, other] = stopOf("never").states.map(({ sentence }) => blind(sentence)?.join(""));
  assert.equal(one, other);
  assert.notEqual(one, text(shownBy("bag")[0]));
  assert.ok(one && texts.never.notice.includes(one.replace("。", "")));
});

test("residuals: nonsense", () => {
  const [nonsense] = shownBy("residuals");
  assert.match(text(nonsense), /^(まし)+$/);
  assert.equal(nonsense.steps.length, longest);
});

test("heads: the one that aligns best can be spared, a layer's heads cannot, and another does most harm", () => {
  const [without, withoutAll] = shownBy("heads");
  assert.equal(text(without), RUNNING);
  assert.ok(!written(withoutAll).includes("犬") && !written(withoutAll).includes("猫"));
  const [state] = stopOf("heads").states;
  const [long] = stopOf("far").states;
  assert.notEqual(text(engine.translate({ ...long, off: state.off })), text(engine.translate(long)));
  const lost = [0, 1].flatMap((layer) =>
    [0, 1, 2, 3].map((head) => {
      const off = [headOf("cross", layer, head)];
      const after = engine.translate({ ...state, off });
      return { off, same: text(after) === RUNNING, likely: Math.min(...after.steps.map((step) => step.probability)) };
    }),
  );
  const [worst] = lost.sort((a, b) => Number(a.same) - Number(b.same) || a.likely - b.likely);
  assert.deepEqual([worst.off, worst.same], [[headOf("cross", 0, 1)], false]);
});

test("far: one vector loses the end, attention keeps it, and without positions words are mixed up", () => {
  const [{ sentence }] = stopOf("far").states;
  const right = "眠った強い若い熊がこの有名な大きな学校を走っていると美しい小さな狐と出会ったうさぎと出会いました。";
  assert.equal(text(shownBy("far")[0]), right);
  const by = (/** @type {string} */ name) => createOther(weightsOf(name), longest)(sentence)?.join("") ?? "";
  assert.equal(by("luong-dot"), right);
  const vector = by("seq2seq");
  assert.ok(vector.startsWith("眠った強い若い熊がこの有名な大きな学校を走っていると"));
  assert.ok(!vector.includes("狐") && !vector.includes("うさぎ"));
  const blind = by("transformer-no-positions");
  const lost = ["眠", "有名", "小さ", "狐", "うさぎ"]; // slept, famous, small, fox, rabbit
  assert.deepEqual(lost.filter((word) => blind.includes(word) || !right.includes(word)), []);
  assert.deepEqual([right, blind].map((sentence) => sentence.match(/熊/g)?.length), [1, 4]);
  assert.equal(notes["熊"].join(), "kuma,bear");
  assert.match(texts.far.notice, /it never writes slept, famous, small, fox or rabbit, but bear \(熊, kuma\) four times\.$/);
});

test("another model has the steps that it can take", () => {
  const titles = (/** @type {Partial<Parameters<typeof createStops>[0]>} */ changes) =>
    createStops({ words, engine, aligning, others: [], ...changes }).map((stop) => stop.text);
  assert.ok(!titles({}).includes(texts.never) && !titles({}).includes(texts.far));
  const unmeasured = titles({ aligning: { layer: 1, head: 0, share: 0 } });
  assert.ok(unmeasured.includes(texts.find) && !unmeasured.includes(texts.align) && !unmeasured.includes(texts.heads));
  const config = { ...engine.config, positions: false };
  assert.ok(!titles({ engine: { ...engine, config } }).includes(texts.bag));
  assert.deepEqual(titles({ engine: { ...engine, knows: () => false } }), []);
});
