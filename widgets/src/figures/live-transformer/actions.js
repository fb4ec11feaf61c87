/** All that a reader can do to the figure. */
import { UNTOUCHED } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").View} View */
/** @typedef {ReturnType<typeof createActions>} Actions */

/**
 * @param {object} parts
 * @param {() => State} parts.get
 * @param {(patch: Partial<State>) => void} parts.commit
 * @param {() => View} parts.look
 * @param {(patch: Partial<View>) => void} parts.turn
 * @param {(marked: import("./marking.js").Marked | null) => void} parts.mark
 * @param {string[]} parts.sentence the author's
 */
export function createActions({ get, commit, look, turn, mark, sentence: example }) {
  /** Another sentence: words that were forced belonged to the old one. @param {string[]} sentence */
  function read(sentence) {
    turn({ written: null });
    commit({ sentence, forced: {} });
  }
  return {
    /** What is set and looked at. */
    now: () => ({ state: get(), view: look() }),
    read,
    mark,
    /** Two words change places. @param {number} one @param {number} other */
    swap(one, other) {
      const sentence = [...get().sentence];
      [sentence[one], sentence[other]] = [sentence[other], sentence[one]];
      const { side, index } = look();
      if (side === "source" && index === one) turn({ index: other });
      read(sentence);
    },
    /** @param {number} index */
    remove(index) {
      const sentence = get().sentence.filter((_, i) => i !== index);
      if (sentence.length) read(sentence);
    },
    /** Choose a word, and a map in which it asks. @param {"source" | "target"} side @param {number} index */
    choose(side, index) {
      const { kind } = look();
      if (side === "target") turn({ side, index, kind: kind === "encoder" ? "cross" : kind });
      else turn({ side, index, kind: kind === "decoder" ? "cross" : kind });
    },
    /** @param {Partial<View>} view */
    turn,
    /** @param {Partial<State>} settings */
    set: commit,
    /** @param {string} part @param {boolean} on */
    switch(part, on) {
      const off = get().off.filter((one) => one !== part);
      commit({ off: on ? off : [...off, part].sort() });
    },
    /** Write a word whatever the model says; what follows is the model's again. @param {number} step @param {string | null} word */
    force(step, word) {
      const forced = Object.fromEntries(Object.entries(get().forced).filter(([at]) => Number(at) < step));
      commit({ forced: word === null ? forced : { ...forced, [step]: word } });
    },
    /** @param {number | null} written */
    write(written) {
      turn({ written, ...(written === null ? {} : { side: "target", index: written - 1, kind: look().kind === "encoder" ? "cross" : look().kind }) });
    },
    /** The model as it was trained; the sentence stays. */
    restore: () => commit({ ...UNTOUCHED }),
    reset() {
      turn({ written: null });
      commit({ ...UNTOUCHED, sentence: example });
    },
  };
}
