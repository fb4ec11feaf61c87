/** All that a reader can do to the figure. */
import { fill } from "../../lib/words.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {ReturnType<typeof createActions>} Actions */

/**
 * @param {object} parts
 * @param {() => State} parts.get
 * @param {(patch: Partial<State>) => void} parts.commit
 * @param {(word: number | null) => void} parts.mark
 * @param {(text: string, where: "word" | "analogy") => void} parts.complain
 * @param {State} parts.example the author's
 * @param {import("./state.js").Space} parts.space
 * @param {import("./words.js").Words} parts.words
 */
export function createActions({ get, commit, mark, complain, example, space, words }) {
  /** @param {Partial<State>} patch */
  function ask(patch) {
    complain("", "word");
    complain("", "analogy");
    commit(patch);
  }
  return {
    mark,
    /** @param {string} word */
    askWord: (word) => ask({ asks: "word", word }),
    /** @param {import("./state.js").Point} place */
    askPlace: (place) => ask({ asks: "place", place }),
    /** @param {[string, string, string]} analogy */
    askAnalogy: (analogy) => ask({ asks: "analogy", analogy }),
    /** @param {string} kind @param {boolean} visible */
    show(kind, visible) {
      const shown = new Set(get().shown);
      if (visible) shown.add(kind);
      else shown.delete(kind);
      commit({ shown: space.kinds.filter((one) => shown.has(one)) });
    },
    /**
     * Say that a word is not there, beside the field where it was typed.
     * @param {"word" | "analogy"} where
     * @returns {(text: string, nearest: string[]) => void}
     */
    refuse: (where) => (text, nearest) => {
      const count = space.words.length;
      complain(fill(words.unknown, { text: text.trim(), count, nearest: nearest.join(", ") }), where);
    },
    reset() {
      mark(null);
      ask(structuredClone(example));
    },
  };
}
