/** What the figure knows, and what follows from it. */
import { answer, influences, read } from "../../lib/influence.js";

/** @typedef {import("../../lib/influence.js").Network} Network */

/**
 * The traits that change; Python's `InfluenceView` has the same.
 * @typedef {object} State
 * @property {number[]} sentence which word of the vocabulary stands at each place
 * @property {number} network which of the networks reads
 * @property {number} focus the word whose feature is looked at
 */

/** A word, how it is read aloud, what it means. @typedef {{ text: string, reading: string, gloss: string }} Word */

/**
 * What an author sets once.
 * @typedef {object} Given
 * @property {Word[]} vocabulary
 * @property {string[]} names of the networks
 * @property {Network[]} networks
 * @property {string[]} classes
 */

/**
 * What follows from the state.
 * @typedef {object} Reach
 * @property {(number | null)[]} influence of each word on the feature; `null`: out of reach
 * @property {number} strongest
 * @property {number[]} shares the probability of each class
 */

export const TRAITS = { sentence: "sentence", network: "network", focus: "focus" };

/** @param {import("../../lib/traits.js").Model} model @returns {Given} */
export function readGiven(model) {
  const [readings, glosses] = [model.get("readings"), model.get("glosses")];
  return {
    vocabulary: model.get("vocabulary").map((/** @type {string} */ text, /** @type {number} */ i) => ({
      text,
      reading: readings[i],
      gloss: glosses[i],
    })),
    names: model.get("names"),
    networks: model.get("networks"),
    classes: model.get("classes"),
  };
}

/** @param {State} state @param {Given} given @returns {Reach} */
export function reachOf({ sentence, network, focus }, { networks }) {
  const reading = read(networks[network], sentence);
  const influence = influences(reading)[focus];
  return {
    influence,
    strongest: Math.max(...influence.map((one) => one ?? 0)),
    shares: answer(networks[network], reading, focus),
  };
}
