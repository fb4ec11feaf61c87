/** All that a reader can do to the figure. */
import { roundTo } from "../../lib/numbers.js";
import { fill } from "../../lib/words.js";
import { MAX_KEYS, freePlace, replaced, withKey, withoutKey } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Point} Point */
/** @typedef {ReturnType<typeof createActions>} Actions */

/**
 * @param {object} parts
 * @param {() => State} parts.get
 * @param {(patch: Partial<State>) => void} parts.commit
 * @param {(index: number | null) => void} parts.mark
 * @param {(text: string) => void} parts.complain
 * @param {State} parts.example the author's
 * @param {() => number} parts.half half the width of the plane
 * @param {import("./words.js").Words} parts.words
 * @param {AbortSignal} parts.signal
 * @param {(event: "touched" | "reset" | "added" | "added here" | "removed", index: number) => void} parts.on
 *   told before `removed` and `reset` take place, and after the others
 */
export function createActions({ get, commit, mark, complain, example, half, words, signal, on }) {
  return {
    complain,

    /** @param {Point} query */
    moveQuery(query) {
      commit({ query });
      on("touched", 0);
    },
    /** @param {number} index @param {Point} key */
    moveKey: (index, key) => commit({ keys: replaced(get().keys, index, key) }),
    /** @param {number} index @param {string} name */
    rename: (index, name) => commit({ names: replaced(get().names, index, name) }),
    /** @param {number} index @param {number} value */
    setValue: (index, value) => commit({ values: replaced(get().values, index, value) }),
    /** @param {number} index @param {boolean} allowed */
    setMask: (index, allowed) => commit({ mask: replaced(get().mask, index, allowed) }),
    /** @param {number} temperature */
    setTemperature: (temperature) => commit({ temperature }),
    /** @param {number} scale */
    setScale: (scale) => commit({ scale }),

    /** @param {Point | null} here where the reader asked for it, or `null` for any free place */
    addKey(here) {
      const state = get();
      const index = state.keys.length;
      if (index >= MAX_KEYS) return;
      const mean = state.values.reduce((sum, value) => sum + value, 0) / index;
      commit(
        withKey(state, {
          key: here ?? freePlace([...state.keys, state.query], half()),
          value: roundTo(mean, 1),
          name: fill(words.new_key, { number: index + 1 }),
        }),
      );
      on(here ? "added here" : "added", index);
    },
    /** @param {number} index */
    removeKey(index) {
      mark(null);
      on("removed", index);
      commit(withoutKey(get(), index));
    },
    reset() {
      mark(null);
      complain("");
      on("reset", 0);
      commit(structuredClone(example));
    },

    /**
     * A key is marked everywhere while any of its pictures is under the pointer or in focus.
     * @param {Element} node
     * @param {number} index
     */
    marks(node, index) {
      for (const name of ["pointerenter", "focusin"]) {
        node.addEventListener(name, () => mark(index), { signal });
      }
      for (const name of ["pointerleave", "focusout"]) {
        node.addEventListener(name, () => mark(null), { signal });
      }
    },
  };
}
