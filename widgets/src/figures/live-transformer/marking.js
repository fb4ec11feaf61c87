/** What is pointed at, marked wherever it shows: in the sentences, the arcs and the matrix. */

/**
 * Which row and which column of the map that is shown; `null` where neither.
 * @typedef {{ query: number | null, key: number | null }} Marked
 */

/** @type {Marked} */
export const NOTHING = { query: null, key: null };

/**
 * Which words a row and a column of a map stand for. The decoder asks the words written before: its
 * first column is the beginning.
 * @param {import("./state.js").Kind} kind
 * @param {Marked} marked
 * @returns {{ source: (number | null)[], target: (number | null)[] }}
 */
export function wordsMarked(kind, { query, key }) {
  if (kind === "encoder") return { source: [query, key], target: [] };
  if (kind === "cross") return { source: [key], target: [query] };
  return { source: [], target: [query, key === null ? null : key - 1] };
}

/**
 * What a word of a sentence marks in a map.
 * @param {import("./state.js").Kind} kind
 * @param {"source" | "target"} side
 * @param {number} index
 * @returns {Marked}
 */
export function markOf(kind, side, index) {
  if (side === "target") return kind === "encoder" ? NOTHING : { query: index, key: null };
  if (kind === "decoder") return NOTHING;
  return kind === "encoder" ? { query: index, key: null } : { query: null, key: index };
}

/**
 * The row or column of the chosen word.
 * @param {import("./state.js").View} view
 */
export const focusOf = ({ kind, side, index }) => markOf(kind, side, index);
