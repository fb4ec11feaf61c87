/**
 * @typedef {object} Model what anywidget gives a figure, and the page's own loader too
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(name: string, listener: (...all: any[]) => void) => void} on
 * @property {(name: string, listener: (...all: any[]) => void) => void} off
 * @property {(content: unknown) => void} send
 */

/**
 * Keep a store in step with a model's traits. Both ways: `commit` is for what the reader does;
 * what Python does, or another view of the same figure, comes in by the model.
 *
 * @template {object} State
 * @param {Model} model
 * @param {{ set(patch: Partial<State>): void }} store
 * @param {Record<keyof State & string, string>} traits which trait holds each entry of the store
 * @param {(state: State) => boolean} consistent whether the traits fit together. Python's traits may
 *   arrive one by one, so that keys are there before their values: such a state is waited out.
 */
export function connect(model, store, traits, consistent) {
  let writing = false;
  let pending = false;

  function pull() {
    pending = false;
    const state = readTraits(model, traits);
    if (consistent(state)) store.set(state);
  }

  function onChange() {
    if (writing || pending) return;
    pending = true;
    queueMicrotask(pull);
  }

  for (const name of Object.values(traits)) model.on(`change:${name}`, onChange);
  return {
    /** @param {Partial<State>} patch */
    commit(patch) {
      store.set(patch);
      writing = true;
      for (const name of /** @type {(keyof State & string)[]} */ (Object.keys(patch))) {
        model.set(traits[name], patch[name]);
      }
      writing = false;
      model.save_changes();
    },
    stop() {
      for (const name of Object.values(traits)) model.off(`change:${name}`, onChange);
    },
  };
}

/**
 * @template {object} State
 * @param {Model} model
 * @param {Record<keyof State & string, string>} traits
 * @returns {State}
 */
export function readTraits(model, traits) {
  const entries = Object.entries(traits).map(([name, trait]) => [name, model.get(trait)]);
  return /** @type {State} */ (Object.fromEntries(entries));
}
