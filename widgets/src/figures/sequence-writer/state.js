/** What the figure knows, and the translation that follows from it. */
import { STOP, beamSearch, best, greedy, pathOf } from "../../lib/decoding.js";
import { createTranslator } from "../../lib/seq2seq.js";
import { concat } from "../../lib/vectors.js";

/**
 * The traits that change; Python's `SequenceWriter` has the same.
 * @typedef {object} State
 * @property {string[]} sentence tokens of the source, without the stop token
 * @property {number} step which written word's alternatives are shown
 * @property {number} width of the beam
 */

/** @typedef {{ words: number, english: string[], japanese: string[] }} Sample */

/**
 * What an author sets once.
 * @typedef {object} Given
 * @property {string[]} names of the model, one
 * @property {string[]} vocabulary words that can be read
 * @property {Record<string, [string, string]>} notes reading and gloss of the words that are written
 * @property {Sample[]} samples short ones first
 * @property {State} example
 */

/**
 * One word that was written.
 * @typedef {object} Step
 * @property {string} token
 * @property {number} share its probability
 * @property {{ token: string, share: number }[]} likeliest the best alternatives, itself among them
 */

/**
 * A place in the beam's tree.
 * @typedef {object} Place
 * @property {string} token
 * @property {number} row 0 is the best of its step
 * @property {number} parent row of the place before it, at the step before
 * @property {boolean} done whether it is a sentence that has stopped
 * @property {boolean} continues whether it was written at this step (one that has stopped only waits)
 * @property {boolean} wins whether the winner goes through it
 */

/**
 * @typedef {object} Translation
 * @property {Float64Array[]} reading the encoder's state after each token; the last is all that the
 *   decoder is given
 * @property {number} columns numbers of each direction of reading
 * @property {boolean} cell whether an LSTM's cell is given besides
 * @property {Step[]} steps of the winner, the stop token last where it stopped
 * @property {Place[][]} levels of the tree, one for each step
 * @property {{ tokens: string[], score: number }[]} beams the sentences, best first, and the mean
 *   log-probability of a token
 * @property {string[] | null} wanted the right translation, where it is known
 * @property {number} wrongFrom the first step that departs from it; -1 where none does
 * @property {boolean[]} foreign for each step whether its token has no place in the wanted one
 */

/** How the stop token is shown. */
export const END = "■";
/** Most words and marks that are read; Python has the same number. */
export const MOST_READ = 31;
/** Most words that are written, the stop token included. */
export const MOST_WRITTEN = 46;
const ALTERNATIVES = 5;

export const TRAITS = { sentence: "sentence", step: "step", width: "width" };

/** @param {import("../../lib/traits.js").Model} model @returns {Given} */
export function readGiven(model) {
  const names = ["names", "vocabulary", "notes", "samples", "example"];
  return /** @type {Given} */ (Object.fromEntries(names.map((name) => [name, model.get(name)])));
}

/** @param {Given} given @param {string[]} sentence @returns {Sample | undefined} */
export function sampleOf(given, sentence) {
  const text = sentence.join(" ");
  return given.samples.find(({ english }) => english.join(" ") === text);
}

/** How many words a sentence has; marks are none. @param {string[]} sentence */
export const wordsIn = (sentence) => sentence.filter((token) => !/^[.,]$/.test(token)).length;

/**
 * A sample of a length, or of the nearest one: the next after the present one, round and round.
 * @param {Given} given
 * @param {number} length
 * @param {string[]} present
 */
export function sampleByLength({ samples }, length, present) {
  const gap = Math.min(...samples.map(({ words }) => Math.abs(words - length)));
  const fitting = samples.filter(({ words }) => Math.abs(words - length) === gap);
  const now = fitting.findIndex(({ english }) => english.join(" ") === present.join(" "));
  return fitting[(now + 1) % fitting.length];
}

/**
 * @param {import("../../lib/weights.js").Weights} weights
 * @param {Given} given
 * @returns {(sentence: string[], width: number) => Translation}
 */
export function createWriter(weights, given) {
  const translator = createTranslator(weights);
  const ids = new Map(weights.source.map((token, id) => [token, id]));
  const { bidirectional, hidden, cell } = weights.config;
  const half = bidirectional ? hidden / 2 : hidden;
  /** @param {number} id */
  const shown = (id) => (id === STOP ? END : weights.target[id]);
  return (sentence, width) => {
    const source = sentence.map((token) => {
      const id = ids.get(token);
      if (id === undefined) throw new Error(`the model's vocabulary has no “${token}”`);
      return id;
    });
    source.push(STOP);
    const { beams, levels } = beamSearch(translator, source, { width, maxLength: MOST_WRITTEN });
    const path = pathOf(beams[0]);
    // once more along the winner, for what stood to choice at each of its steps
    const forced = new Map(path.map(({ token }, i) => [i, token]));
    const { steps } = greedy(translator, source, { maxLength: path.length, forced });
    const wanted = sampleOf(given, sentence)?.japanese ?? null;
    const written = steps.map(({ token }) => shown(token));
    return {
      reading: readingOf(translator.encode(source).memory, half),
      columns: half,
      cell: cell === "lstm",
      steps: steps.map(({ token, logProbs }) => ({
        token: shown(token),
        share: Math.exp(logProbs[token]),
        likeliest: best(logProbs, ALTERNATIVES).map((id) => ({
          token: shown(id),
          share: Math.exp(logProbs[id]),
        })),
      })),
      levels: levels.map((level, i) =>
        level.map((beam, row) => ({
          token: shown(beam.token),
          row,
          // one that has stopped waits in its place; any other continues its parent
          parent: i === 0 ? 0 : levels[i - 1].findIndex((one) => one === beam || one === beam.parent),
          done: beam.done,
          continues: beam.length === i + 1,
          wins: path[Math.min(i, path.length - 1)] === beam,
        })),
      ),
      beams: beams.map((beam) => ({
        tokens: pathOf(beam).map(({ token }) => shown(token)),
        score: beam.rank,
      })),
      wanted,
      wrongFrom: wanted ? firstDeparture(written, wanted) : -1,
      foreign: wanted ? foreignTo(written, [...wanted, END]) : written.map(() => false),
    };
  };
}

/**
 * What has been made of the first token, of the first two and so on; a second direction begins at the
 * other end of the sentence.
 * @param {Float64Array[]} memory h_j, both directions at the same token
 * @param {number} half numbers of one direction
 * @returns {Float64Array[]}
 */
export function readingOf(memory, half) {
  return memory.map((ahead, j) =>
    concat(ahead.subarray(0, half), memory[memory.length - 1 - j].subarray(half)),
  );
}

/**
 * @param {string[]} written with the stop token
 * @param {string[]} wanted without
 */
export function firstDeparture(written, wanted) {
  const right = [...wanted, END];
  const length = Math.max(written.length, right.length);
  for (let i = 0; i < length; i++) if (written[i] !== right[i]) return Math.min(i, written.length - 1);
  return -1;
}

/**
 * Which tokens have no place in the wanted sentence: all that are not in the longest row of tokens
 * that both have in the same order.
 * @param {string[]} written
 * @param {string[]} wanted
 * @returns {boolean[]}
 */
export function foreignTo(written, wanted) {
  // common[i][j]: how many tokens the ends from i and from j on have in common
  const common = Array.from({ length: written.length + 1 }, () => new Uint16Array(wanted.length + 1));
  for (let i = written.length - 1; i >= 0; i--)
    for (let j = wanted.length - 1; j >= 0; j--)
      common[i][j] =
        written[i] === wanted[j]
          ? common[i + 1][j + 1] + 1
          : Math.max(common[i + 1][j], common[i][j + 1]);
  let j = 0;
  return written.map((token, i) => {
    while (j < wanted.length && token !== wanted[j] && common[i][j] === common[i][j + 1]) j++;
    if (token !== wanted[j]) return true;
    j++;
    return false;
  });
}
