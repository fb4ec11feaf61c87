/** What the figure knows, and the weights and answers that follow from it. */
import { argmax, dot, linear, lookUp, mixture, softmax } from "../../lib/vectors.js";

/**
 * The traits that change; Python's `HeadsView` has the same.
 * @typedef {object} State
 * @property {[number, number][]} phrases the numbers of an animal and of a particle each
 * @property {boolean[]} on which heads are on
 */
/** A word: as written, its reading, its gloss. @typedef {[string, string, string]} Word */
/**
 * What an author sets once.
 * @typedef {object} Given
 * @property {string} name of the model
 * @property {Word[]} animals
 * @property {Word[]} particles
 * @property {Word} verb
 * @property {State} example
 */
/**
 * @typedef {object} Answer
 * @property {number} animal which the model names
 * @property {number} share how sure it is, from 0 to 1
 * @property {number[]} asked the animals that do stand before the particle
 * @property {boolean} right
 */
/** @typedef {{ weights: ArrayLike<number>[], answers: Answer[] }} Reply weights `(heads, phrases)` */

export const TRAITS = { phrases: "phrases", on: "on" };

/** @param {import("../../lib/traits.js").Model} model @returns {Given} */
export function readGiven(model) {
  return {
    name: model.get("model_name"),
    animals: model.get("animals"),
    particles: model.get("particles"),
    verb: model.get("verb"),
    example: model.get("example"),
  };
}

/** @param {State} state */
export const consistent = ({ phrases, on }) => phrases.length > 0 && on.length > 0;

/**
 * Multi-head attention of one verb over its phrases, and the four answers that are read from it:
 * `contextbook.experiments.chapter10.FourQuestions`.
 * @param {import("../../lib/weights.js").Weights} weights
 * @returns {(state: State) => Reply}
 */
export function createVerb({ config, tensors, source, target }) {
  /** @param {string} name @param {Float64Array} x */
  const apply = (name, x) => linear(tensors[`${name}.weight`], tensors[`${name}.bias`], x);
  const size = config.width / config.heads;
  /** @param {Float64Array} x @param {number} head */
  const part = (x, head) => x.subarray(head * size, (head + 1) * size);
  const query = apply("attention.query", new Float64Array(tensors.verb.data));

  return ({ phrases, on }) => {
    const vectors = phrases.map(([animal, particle]) => {
      const sum = lookUp(tensors["animals.weight"], animal);
      lookUp(tensors["particles.weight"], particle).forEach((x, i) => (sum[i] += x));
      return sum;
    });
    const keys = vectors.map((x) => apply("attention.key", x));
    const values = vectors.map((x) => apply("attention.value", x));
    const joined = new Float64Array(config.width);
    const weights = on.map((isOn, head) => {
      const scores = keys.map((key) => dot(part(query, head), part(key, head)) / Math.sqrt(size));
      const shares = softmax(scores);
      // a head that is off leaves zeros in its part
      if (isOn) joined.set(mixture(shares, values.map((value) => part(value, head))), head * size);
      return shares;
    });
    const logits = apply("answers", apply("attention.output", joined));
    const answers = target.map((_, particle) => {
      const row = logits.subarray(particle * source.length, (particle + 1) * source.length);
      const animal = argmax(row);
      const asked = phrases.filter((phrase) => phrase[1] === particle).map((phrase) => phrase[0]);
      return { animal, share: softmax(row)[animal], asked, right: asked.includes(animal) };
    });
    return { weights, answers };
  };
}

/** @param {State["phrases"]} phrases @param {number} place of the first of two that change places */
export function swapped(phrases, place) {
  const order = [...phrases];
  [order[place], order[place + 1]] = [order[place + 1], order[place]];
  return order;
}
