/** @typedef {import("../lib/traits.js").Model} Model */
/** @typedef {(...all: any[]) => void} Listener */

/**
 * A model without a kernel: the part of anywidget's that a figure uses, over the saved state.
 * @param {Record<string, unknown>} saved
 * @returns {Model}
 */
export function createModel(saved) {
  const state = { ...saved };
  /** @type {Map<string, Set<Listener>>} */
  const listeners = new Map();

  /** @type {Model} */
  const model = {
    get: (name) => state[name],
    set(name, value) {
      if (Object.is(state[name], value)) return;
      state[name] = value;
      fire(`change:${name}`, model, value);
      fire("change", model);
    },
    on(names, listener) {
      for (const name of names.split(/\s+/)) {
        const all = listeners.get(name) ?? new Set();
        listeners.set(name, all.add(listener));
      }
    },
    off(names, listener) {
      for (const name of names.split(/\s+/)) listeners.get(name)?.delete(listener);
    },
    // there is no one to tell: the page is all there is
    save_changes() {},
    send() {},
  };

  /** @param {string} name @param {...unknown} args */
  function fire(name, ...args) {
    for (const listener of [...(listeners.get(name) ?? [])]) listener(...args);
  }
  return model;
}
