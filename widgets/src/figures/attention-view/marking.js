/** What is under the pointer or in focus: it is marked in all its pictures. */

/**
 * A token that asks, one that answers, or (in the matrix) the pair of both.
 * @typedef {{ query: number | null, key: number | null, pair: boolean }} Marked
 */
/** @typedef {ReturnType<typeof createMarking>} Marking */

/** @type {Marked} */
export const NOTHING = { query: null, key: null, pair: false };

/** @param {(marked: Marked) => void} mark told when something else is marked */
export function createMarking(mark) {
  /** @type {WeakMap<Element, Marked>} */
  const pictures = new WeakMap();
  let now = NOTHING;

  /** @param {Marked} marked */
  function set(marked) {
    if (marked === now) return;
    now = marked;
    mark(marked);
  }

  return {
    set,
    /**
     * @param {Element} node a picture of
     * @param {number | null} query
     * @param {number | null} key
     * @param {boolean} [pair] whether it stands for the two together
     */
    marks(node, query, key, pair = false) {
      pictures.set(node, { query, key, pair });
    },

    /**
     * One listener for all: a matrix may have more than a thousand cells.
     * @param {Element} root
     * @param {AbortSignal} signal
     */
    listen(root, signal) {
      /** @param {Event} event */
      const enter = (event) => {
        let node = /** @type {Element | null} */ (event.target);
        while (node && node !== root && !pictures.has(node)) node = node.parentElement;
        set((node && pictures.get(node)) ?? NOTHING);
      };
      const leave = () => set(NOTHING);
      root.addEventListener("pointerover", enter, { signal });
      root.addEventListener("focusin", enter, { signal });
      root.addEventListener("pointerleave", leave, { signal });
      root.addEventListener("focusout", leave, { signal });
    },
  };
}
