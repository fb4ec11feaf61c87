/** All that a reader can do to the figure. */
import { clamp } from "../../lib/numbers.js";
import { fill } from "../../lib/words.js";
import { replaced } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {ReturnType<typeof createActions>} Actions */

/**
 * @param {object} parts
 * @param {() => State} parts.get
 * @param {(patch: Partial<State>) => void} parts.commit
 * @param {(text: string) => void} parts.complain
 * @param {State} parts.example the author's
 * @param {number} parts.count tokens of the vocabulary
 * @param {import("./words.js").Words} parts.words
 */
export function createActions({ get, commit, complain, example, count, words }) {
  return {
    /** @param {number} step */
    goTo(step) {
      complain("");
      commit({ step: clamp(step, 0, get().tokens.length - 1) });
    },
    /** @param {number} place @param {string} token */
    put(place, token) {
      complain("");
      commit(replaced(get(), place, token));
    },
    /** An edit of the author's sentence, whatever was edited before. @param {number} place @param {string} token */
    tryEdit(place, token) {
      complain("");
      commit(replaced(example, place, token));
    },
    /** @param {string} text @param {string[]} nearest */
    refuse(text, nearest) {
      complain(fill(words.unknown, { text, count, nearest: nearest.join(", ") }));
    },
    reset() {
      complain("");
      commit(structuredClone(example));
    },
  };
}
