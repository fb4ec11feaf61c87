/** What the figure knows, and the reading that follows from it. */
import { rnnStates } from "../../lib/recurrent.js";
import { matmul, matrix, transpose } from "../../lib/tensor.js";

/**
 * The traits that a reader can change; Python's `RecurrentReader` has the same.
 * @typedef {object} State
 * @property {string[]} tokens
 * @property {number} step from 0
 */

/**
 * What an author sets once.
 * @typedef {object} Data
 * @property {string[]} vocabulary
 * @property {[string, string][]} names reading and meaning of each token
 * @property {[number, string][]} changes
 * @property {string} end
 * @property {number[][]} embedding `(words, D)`
 * @property {number[][]} weight_ih `(H, D)`
 * @property {number[][]} weight_hh `(H, H)`
 * @property {number[]} bias_ih
 * @property {number[]} bias_hh
 * @property {number[][]} head `(words, H)`
 * @property {number[]} head_bias
 */

/**
 * @typedef {object} Reading
 * @property {number[][]} states one for each token, `(time, H)`
 * @property {number[][]} expected probabilities of the next token after each, `(time, words)`
 */

export const TRAITS = { tokens: "tokens", step: "step" };

/** @param {Data} data */
export function createNetwork(data) {
  const ids = new Map(data.vocabulary.map((token, id) => [token, id]));
  const cell = {
    weight_ih: matrix(data.weight_ih),
    weight_hh: matrix(data.weight_hh),
    bias_ih: data.bias_ih,
    bias_hh: data.bias_hh,
  };
  const head = transpose(matrix(data.head)); // (H, words)
  return {
    units: data.weight_hh.length,
    ids,
    /** @param {string[]} tokens @returns {Reading} */
    read(tokens) {
      const inputs = tokens.map((token) => matrix([data.embedding[ids.get(token) ?? 0]]));
      const states = rnnStates(cell, inputs).slice(1); // without the zeros it starts from
      return {
        states: states.map((state) => Array.from(state.data)),
        expected: states.map((state) => {
          const scores = matmul(state, head).data;
          return softmax(Array.from(scores, (score, word) => score + data.head_bias[word]));
        }),
      };
    },
  };
}

/** @param {number[]} scores */
export function softmax(scores) {
  const largest = Math.max(...scores);
  const exponentials = scores.map((score) => Math.exp(score - largest));
  const sum = exponentials.reduce((one, other) => one + other, 0);
  return exponentials.map((x) => x / sum);
}

/**
 * How far each state is from another's at the same step.
 * @param {number[][]} states
 * @param {number[][]} others
 */
export function distances(states, others) {
  return states.map((state, t) => Math.hypot(...state.map((x, i) => x - others[t][i])));
}

/**
 * The words with the greatest probabilities, the greatest first.
 * @param {number[]} probabilities
 * @param {number} count
 */
export function likeliest(probabilities, count) {
  return probabilities
    .map((_, word) => word)
    .sort((one, other) => probabilities[other] - probabilities[one])
    .slice(0, count);
}

/**
 * All that a reader may type for a token: itself, how it is read, what it means. Where two tokens
 * share a name, the one that is more frequent has it.
 * @param {Pick<Data, "vocabulary" | "names">} data
 * @returns {Map<string, string>} from what is typed to the token
 */
export function typedNames({ vocabulary, names }) {
  const known = new Map(vocabulary.map((token) => [token, token]));
  for (const which of [0, 1]) {
    vocabulary.forEach((token, id) => {
      for (const name of names[id][which].split(" / ")) {
        const plain = name.replace(/[()]/g, "").toLowerCase();
        if (plain && !known.has(plain)) known.set(plain, token);
      }
    });
  }
  return known;
}

/** @param {State} state @param {number} place @param {string} token */
export function replaced({ tokens }, place, token) {
  return { tokens: tokens.map((old, t) => (t === place ? token : old)), step: place };
}

/** Whether the step lies in the sentence, and the network knows its tokens. @param {Data} data */
export const consistentWith =
  (data) =>
  (/** @type {State} */ { tokens, step }) =>
    step < tokens.length && tokens.every((token) => data.vocabulary.includes(token));
