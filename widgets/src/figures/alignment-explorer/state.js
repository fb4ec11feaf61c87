/** What the figure knows, and the translation that follows from it. */
import { STOP, greedy } from "../../lib/decoding.js";
import { createTranslator } from "../../lib/seq2seq.js";
import { argmax } from "../../lib/vectors.js";

/**
 * The traits that change; Python's `AlignmentExplorer` has the same.
 * @typedef {object} State
 * @property {string[]} sentence tokens of the source, without the stop token
 * @property {string} chosen name of the model that translates
 * @property {number} temperature of the attention's softmax
 * @property {number} focus which written word's weights are shown
 */

/**
 * What an author sets once.
 * @typedef {object} Given
 * @property {string[]} names of the models
 * @property {string[]} kinds of their attention
 * @property {string[]} vocabulary words that can be read
 * @property {Record<string, [string, string]>} notes reading and gloss of the words that are written
 * @property {State} example
 */

/**
 * What a model made of a sentence. Both ends have a stop token: it is read and written like a word.
 * @typedef {object} Translation
 * @property {string[]} source
 * @property {string[]} target
 * @property {ArrayLike<number>[]} weights `(target, source)`
 * @property {number[]} best which source word each written word looks at most
 * @property {boolean} ended whether the model wrote the stop token
 */

/** How the stop token is shown. */
export const END = "■";
/** Most words that can be read, and written, the stop token included. */
export const MOST_READ = 32;
export const MOST_WRITTEN = 46;

export const TRAITS = {
  sentence: "sentence",
  chosen: "chosen",
  temperature: "temperature",
  focus: "focus",
};

/** @param {import("../../lib/traits.js").Model} model @returns {Given} */
export function readGiven(model) {
  const names = ["names", "kinds", "vocabulary", "notes", "example"];
  return /** @type {Given} */ (Object.fromEntries(names.map((name) => [name, model.get(name)])));
}

/**
 * @param {import("../../lib/weights.js").Weights} weights
 * @returns {(sentence: string[], temperature: number) => Translation}
 */
export function createReader(weights) {
  const translator = createTranslator(weights);
  const ids = new Map(weights.source.map((token, id) => [token, id]));
  return (sentence, temperature) => {
    const source = sentence.map((token) => {
      const id = ids.get(token);
      if (id === undefined) throw new Error(`the model's vocabulary has no “${token}”`);
      return id;
    });
    const { steps } = greedy(translator, [...source, STOP], {
      maxLength: MOST_WRITTEN,
      settings: { temperature },
    });
    return {
      source: [...sentence, END],
      target: steps.map(({ token }) => (token === STOP ? END : weights.target[token])),
      weights: steps.map((step) => step.weights),
      best: steps.map((step) => argmax(step.weights)),
      ended: steps[steps.length - 1].token === STOP,
    };
  };
}
