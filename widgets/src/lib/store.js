/**
 * Plain state with listeners: a view subscribes, an action sets.
 * @template {object} State
 * @param {State} initial
 */
export function createStore(initial) {
  let state = initial;
  /** @type {Set<(state: State) => void>} */
  const listeners = new Set();
  return {
    get: () => state,
    /** Replace some entries and tell every listener. @param {Partial<State>} patch */
    set(patch) {
      state = { ...state, ...patch };
      for (const listener of listeners) listener(state);
    },
    /** @param {(state: State) => void} listener @returns {() => void} unsubscribes */
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
