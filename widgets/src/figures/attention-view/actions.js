/** All that a reader can do to the figure. */

/** @typedef {import("./state.js").State} State */
/** @typedef {ReturnType<typeof createActions>} Actions */

/**
 * @param {object} parts
 * @param {(patch: Partial<State>) => void} parts.commit
 * @param {import("./marking.js").Marking} parts.marking
 * @param {Partial<State>} parts.example the author's
 */
export function createActions({ commit, marking, example }) {
  return {
    /** @param {number} focus */
    choose: (focus) => commit({ focus }),
    /** @param {number} temperature */
    setTemperature: (temperature) => commit({ temperature }),
    /** @param {boolean} causal */
    setCausal: (causal) => commit({ causal }),
    reset: () => commit({ ...example }),
    marks: marking.marks,
  };
}
