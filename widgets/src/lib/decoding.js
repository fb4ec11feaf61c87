/**
 * Decoding: from a model's probabilities to sentences, greedily or with a beam. Any model will do
 * that has `start(source)` and `step(token, state, settings)`: `contextbook.decoding`, for one sentence.
 */
import { argmax } from "./vectors.js";

/**
 * @template State
 * @typedef {object} Decodable
 * @property {(source: number[], settings?: any) => State} start
 * @property {(token: number, state: State, settings?: any) =>
 *   { logProbs: Float64Array, state: State, weights: any }} step
 */
/**
 * @typedef {object} Written one token that was written, and what it was chosen from
 * @property {number} token
 * @property {Float64Array} logProbs of all tokens at this step
 * @property {any} weights the attention's, `null` without
 */

export const START = 1;
export const STOP = 2;

/**
 * At each step, write the token that is most probable now.
 * @template State
 * @param {Decodable<State>} model
 * @param {number[]} source
 * @param {object} options
 * @param {number} options.maxLength most tokens to write, the stop token included
 * @param {any} [options.settings] handed to the model at each step
 * @param {Map<number, number>} [options.forced] tokens to write at given steps, whatever the model says
 * @returns {{ tokens: number[], score: number, steps: Written[] }} tokens without the stop token
 */
export function greedy(model, source, { maxLength, settings, forced }) {
  let state = model.start(source, settings);
  let token = START;
  let score = 0;
  /** @type {Written[]} */
  const steps = [];
  while (steps.length < maxLength && !(steps.length && token === STOP)) {
    const { logProbs, state: next, weights } = model.step(token, state, settings);
    token = forced?.get(steps.length) ?? argmax(logProbs);
    score += logProbs[token];
    steps.push({ token, logProbs, weights });
    state = next;
  }
  return { tokens: withoutStop(steps), score, steps };
}

/** @param {{ token: number }[]} steps */
function withoutStop(steps) {
  const tokens = steps.map((step) => step.token);
  return tokens[tokens.length - 1] === STOP ? tokens.slice(0, -1) : tokens;
}

/**
 * A beginning of a sentence in a beam.
 * @template State
 * @typedef {object} Beginning
 * @property {number} token its last one
 * @property {Beginning<State> | null} parent the beginning that it continues
 * @property {number} length tokens written
 * @property {number} score sum of their log-probabilities
 * @property {number} rank score / length^alpha, by which they compete
 * @property {boolean} done whether it has stopped
 * @property {any} weights
 * @property {State | null} state
 */

/**
 * Keep the `width` best beginnings at each step, not the best alone. A sentence that has stopped stays
 * and competes with those that go on.
 * @template State
 * @param {Decodable<State>} model
 * @param {number[]} source
 * @param {object} options
 * @param {number} options.width
 * @param {number} options.maxLength most tokens to write, the stop token included
 * @param {number} [options.alpha] 0 compares bare scores, 1 the mean of the log-probabilities
 * @param {any} [options.settings] handed to the model at each step
 * @returns {{ beams: Beginning<State>[], levels: Beginning<State>[][] }} the sentences, best first; and
 *   those that were kept after each step
 */
export function beamSearch(model, source, { width, maxLength, alpha = 1, settings }) {
  /** @type {Beginning<State>} */
  const empty = {
    token: START,
    parent: null,
    length: 0,
    score: 0,
    rank: 0,
    done: false,
    weights: null,
    state: model.start(source, settings),
  };
  let beams = [empty];
  /** @type {Beginning<State>[][]} */
  const levels = [];
  while (levels.length < maxLength && !beams.every((beam) => beam.done)) {
    /** @type {Beginning<State>[]} */
    const candidates = [];
    for (const beam of beams) {
      if (beam.done) candidates.push(beam);
      else candidates.push(...continued(model, beam, width, alpha, settings));
    }
    candidates.sort((a, b) => b.rank - a.rank);
    beams = candidates.slice(0, width);
    levels.push(beams);
  }
  return { beams, levels };
}

/**
 * The best ways to go on by one token: more than `width` of them are never kept.
 * @template State
 * @param {Decodable<State>} model
 * @param {Beginning<State>} beam
 * @param {number} width
 * @param {number} alpha
 * @param {any} settings
 * @returns {Beginning<State>[]}
 */
function continued(model, beam, width, alpha, settings) {
  const { logProbs, state, weights } = model.step(
    beam.token,
    /** @type {State} */ (beam.state),
    settings,
  );
  const length = beam.length + 1;
  return best(logProbs, width).map((token) => {
    const score = beam.score + logProbs[token];
    const rank = score / length ** alpha;
    return { token, parent: beam, length, score, rank, done: token === STOP, weights, state };
  });
}

/**
 * @param {ArrayLike<number>} values
 * @param {number} count
 * @returns {number[]} where the largest stand, in order
 */
export function best(values, count) {
  const order = Array.from(values, (_, i) => i);
  return order.sort((a, b) => values[b] - values[a]).slice(0, count);
}

/**
 * The tokens of a beginning, without the stop token.
 * @template State
 * @param {Beginning<State>} beam
 */
export function tokensOf(beam) {
  return withoutStop(pathOf(beam));
}

/**
 * The beginnings that led to one, the first token's first.
 * @template State
 * @param {Beginning<State>} beam
 */
export function pathOf(beam) {
  /** @type {Beginning<State>[]} */
  const path = [];
  for (let at = /** @type {Beginning<State> | null} */ (beam); at && at.parent; at = at.parent) {
    path.unshift(at);
  }
  return path;
}
