/** The models of the figure at work: from a sentence and settings to a translation with all its weights. */
import { START, STOP, beamSearch, best, greedy, pathOf } from "../../lib/decoding.js";
import { createTranslator } from "../../lib/seq2seq.js";
import { createTransformer } from "../../lib/transformer.js";
import { headOf } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Kind} Kind */
/** @typedef {import("../../lib/transformer.js").Way} Way */
/** @typedef {ReturnType<typeof createEngine>} Engine */
/**
 * @typedef {object} Step
 * @property {number} token that was written
 * @property {number} probability of it
 * @property {Float64Array} logProbs of all tokens
 * @property {Way} way of the token before, which led to it
 * @property {boolean} forced
 */
/**
 * @typedef {object} Translation
 * @property {string[]} source tokens, the stop token at the end
 * @property {Way[]} ways of the source's tokens
 * @property {Step[]} steps the last one writes the stop token, unless there was no room for it
 */

const ALTERNATIVES = 5;
const SPECIAL = 4;
/** Translations by the untouched model that are kept. */
const ORIGINALS = 4;

/**
 * @param {import("../../lib/weights.js").Weights} weights
 * @param {number} longest most tokens of a translation
 */
export function createEngine(weights, longest) {
  const { config, source: sources, target: targets } = weights;
  const model = createTransformer(weights);
  const ids = new Map(sources.map((word, id) => [word, id]));
  const targetIds = new Map(targets.map((word, id) => [word, id]));

  /** @param {string[]} sentence */
  const encoded = (sentence) => [...sentence.map((word) => /** @type {number} */ (ids.get(word))), STOP];

  /** The last translations of the untouched model: a beam is compared with a greedy one. @type {Map<string, Translation>} */
  const originals = new Map();

  /** @param {State} state @returns {Translation} */
  function translate({ sentence, forced: asked, width, off, ...switches }) {
    const settings = { ...switches, off: new Set(off) };
    const forced = new Map(
      Object.entries(asked).map(([step, word]) => [Number(step), /** @type {number} */ (targetIds.get(word))]),
    );
    const source = encoded(sentence);
    /** @type {Way[]} */
    let ways = [];
    // what a step foresees goes along with its weights; a forced word leaves a beam no other choice
    const watched = {
      /** @param {number[]} ids_ */
      start(ids_) {
        const state = model.start(ids_, settings);
        ways = state.source;
        return state;
      },
      /** @param {number} token @param {import("../../lib/transformer.js").DecoderState} state */
      step(token, state) {
        const { logProbs, state: next, weights: way } = model.step(token, state, settings);
        const must = forced.get(state.length);
        const chosen = must === undefined ? logProbs : logProbs.map((x, id) => (id === must ? x : -Infinity));
        return { logProbs: chosen, state: next, weights: { way, logProbs } };
      },
    };
    /** @type {{ token: number, weights: { way: Way, logProbs: Float64Array } }[]} */
    const written =
      width === 1
        ? greedy(watched, source, { maxLength: longest }).steps
        : pathOf(beamSearch(watched, source, { width, maxLength: longest }).beams[0]);
    return {
      source: [...sentence, sources[STOP]],
      ways,
      steps: written.map(({ token, weights: { way, logProbs } }, i) => ({
        token,
        probability: Math.exp(logProbs[token]),
        logProbs,
        way,
        forced: forced.has(i),
      })),
    };
  }

  return {
    config: /** @type {{ layers: number, heads: number, d_model: number, positions: boolean }} */ (config),
    longest,
    model,
    words: sources.slice(SPECIAL),
    /** @param {unknown} word */
    knows: (word) => typeof word === "string" && (ids.get(word) ?? 0) >= SPECIAL,
    /** @param {unknown} word */
    writes: (word) => typeof word === "string" && ((targetIds.get(word) ?? 0) >= SPECIAL || word === targets[STOP]),
    /** @param {number} id */
    textOf: (id) => targets[id],
    isStop: (/** @type {number} */ id) => id === STOP,
    start: targets[START],
    stop: targets[STOP],
    translate,
    /** The same sentence by the model as it was trained, with the same search. @param {State} state @param {Omit<State, "sentence">} untouched */
    original(state, untouched) {
      const key = JSON.stringify([state.sentence, state.width]);
      const known = originals.get(key);
      if (known) return known;
      const made = translate({ ...untouched, sentence: state.sentence, width: state.width });
      if (originals.size >= ORIGINALS) originals.clear();
      originals.set(key, made);
      return made;
    },
    /** What may come next, the likeliest first. @param {Step} step */
    alternatives: ({ logProbs }) =>
      best(logProbs, ALTERNATIVES).map((token) => ({ token, probability: Math.exp(logProbs[token]) })),
  };
}

/**
 * Another translator, whose words alone are shown.
 * @param {import("../../lib/weights.js").Weights} weights
 * @param {number} longest
 */
export function createOther(weights, longest) {
  const model = /** @type {import("../../lib/decoding.js").Decodable<any>} */ (
    weights.config.kind === "transformer" ? createTransformer(weights) : createTranslator(weights)
  );
  const ids = new Map(weights.source.map((word, id) => [word, id]));
  /** @param {string[]} sentence @returns {string[] | null} `null` where it does not know a word */
  return (sentence) => {
    const source = sentence.map((word) => ids.get(word));
    if (source.some((id) => id === undefined)) return null;
    const { tokens } = greedy(model, [.../** @type {number[]} */ (source), STOP], { maxLength: longest });
    return tokens.map((id) => weights.target[id]);
  };
}

/**
 * Who attends to whom: one row for each token that asks, by layer and head.
 * @param {Translation} translation
 * @param {Kind} kind
 * @param {number} layer
 * @param {number} head −1: the mean of those that are on, or of all where none is
 * @param {string[]} [off] what is switched off
 * @returns {Float64Array[]} rows may be shorter than there are keys: what comes later is hidden
 */
export function mapOf({ ways, steps }, kind, layer, head, off = []) {
  const asking = kind === "encoder" ? ways : steps.map((step) => step.way);
  return asking.map((way) => {
    const asked = way.layers[layer][kind === "cross" ? "cross" : "self"];
    if (!asked) return new Float64Array(0);
    if (head >= 0) return asked.weights[head];
    const on = asked.weights.filter((_, one) => !off.includes(headOf(kind, layer, one)));
    const heads = on.length ? on : asked.weights;
    return heads[0].map((_, j) => heads.reduce((sum, one) => sum + one[j], 0) / heads.length);
  });
}

/** Worth of a word that stands at the same place in both lists: all of them are worth less than one word more. */
const SAME_PLACE = 1 / 1024;

/**
 * Where two lists of words differ: which words of each stand in their longest common sequence. Of
 * several that are equally long it is the one with most words at the same places.
 * @param {string[]} one
 * @param {string[]} other
 * @returns {[boolean[], boolean[]]} `true` = the same in both
 */
export function common(one, other) {
  const table = Array.from({ length: one.length + 1 }, () => new Array(other.length + 1).fill(0));
  /** What the rest is worth if these two are taken as the same. */
  const taken = (/** @type {number} */ i, /** @type {number} */ j) =>
    one[i] === other[j] ? table[i + 1][j + 1] + 1 + (i === j ? SAME_PLACE : 0) : 0;
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) table[i][j] = Math.max(taken(i, j), table[i + 1][j], table[i][j + 1]);
  }
  const same = /** @type {[boolean[], boolean[]]} */ ([one.map(() => false), other.map(() => false)]);
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    if (taken(i, j) && taken(i, j) === table[i][j]) same[0][i++] = same[1][j++] = true;
    else if (table[i + 1][j] >= table[i][j + 1]) i++;
    else j++;
  }
  return same;
}

