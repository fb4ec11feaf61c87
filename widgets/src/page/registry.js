/**
 * `window.contextbook`: where scripts that are loaded on demand hand in what they carry.
 *
 * Classic scripts and not modules or `fetch`, since a browser loads only those from file://.
 */

import { fromBase64 } from "../lib/weights.js";

/** @typedef {import("../lib/traits.js").Model} Model */
/**
 * @typedef {object} Figure
 * @property {(context: { model: Model, el: HTMLElement }) => unknown} render
 */
/** @typedef {ReturnType<typeof createRegistry>} Registry */

const NAME = /^[a-z0-9][a-z0-9-]*$/;

/**
 * @param {(url: string) => Promise<void>} load appends a script and waits for it
 */
export function createRegistry(load) {
  /** @type {Map<string, Figure>} */
  const figures = new Map();
  /** @type {Map<string, Uint8Array>} */
  const models = new Map();
  /** @type {Map<string, Promise<void>>} */
  const loading = new Map();

  /** @param {string} path beside the loader; asked for once, again only after a failure */
  function once(path) {
    const known = loading.get(path);
    if (known) return known;
    const promise = load(path);
    loading.set(path, promise);
    promise.catch(() => loading.delete(path));
    return promise;
  }

  /**
   * @template T
   * @param {Map<string, T>} shelf
   * @param {string} name
   * @param {string} path
   * @returns {Promise<T>}
   */
  async function fetched(shelf, name, path) {
    if (!NAME.test(name)) throw new Error(`“${name}” is no name of a figure or model`);
    if (!shelf.has(name)) await once(path);
    const found = shelf.get(name);
    if (!found) throw new Error(`${path} was loaded but holds no “${name}”`);
    return found;
  }

  return {
    /** Called by a figure's script. @param {string} name @param {Figure} figure */
    defineFigure(name, figure) {
      figures.set(name, figure);
    },
    /** @param {string} name */
    whenFigure: (name) => fetched(figures, name, `${name}.js`),
    /**
     * Called by a trained model's script: the weights as one block of bytes.
     * @param {string} name
     * @param {string} base64
     */
    register(name, base64) {
      models.set(name, fromBase64(base64));
    },
    /** The bytes of `models/<name>.js`, asked for when they are first needed. @param {string} name */
    whenModel: (name) => fetched(models, name, `models/${name}.js`),
  };
}

/**
 * @param {string} url
 * @returns {Promise<void>}
 */
export function loadScript(url) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${url} could not be loaded`));
    document.head.append(script);
  });
}
