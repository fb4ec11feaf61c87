/**
 * Byte-level BPE, written to be read beside the book's Python (`contextbook.text`): the same
 * pieces, the same bytes, the same ids.
 */

/** @typedef {[number, number]} Pair two ids that stand side by side */

export const N_BYTES = 256;

// GPT-2 numbers first the bytes that print as a character in Latin-1, then all the others.
const PRINTED = [...range(0x21, 0x7f), ...range(0xa1, 0xad), ...range(0xae, 0x100)];
const printed = new Set(PRINTED);

/** The byte that each of the ids 0 to 255 stands for. */
export const BYTES = [...PRINTED, ...range(0, N_BYTES).filter((byte) => !printed.has(byte))];
/** @type {number[]} */
const BYTE_IDS = [];
BYTES.forEach((byte, id) => (BYTE_IDS[byte] = id));

// JavaScript's \s has U+FEFF too many and U+0085 too few: Unicode's own property is what is meant.
const SPACE = "\\p{White_Space}";
const PATTERN = new RegExp(
  `'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^${SPACE}\\p{L}\\p{N}]+|` +
    `${SPACE}+(?!\\P{White_Space})|${SPACE}+`,
  "gu",
);

/**
 * Cut a text where no token may reach across, as GPT-2 does: into words, each with the space before
 * it. The pieces joined are the text.
 * @param {string} text without lone surrogates
 * @returns {string[]}
 */
export function pieces(text) {
  return text.match(PATTERN) ?? [];
}

/** Number the UTF-8 bytes of a piece in GPT-2's order. @param {string} piece @returns {number[]} */
export function byteIds(piece) {
  return Array.from(new TextEncoder().encode(piece), (byte) => BYTE_IDS[byte]);
}

/**
 * Put `newId` where the two ids of `pair` stand side by side, from left to right.
 * @param {number[]} ids
 * @param {Pair} pair
 * @param {number} newId
 * @returns {number[]}
 */
export function mergePair(ids, [left, right], newId) {
  /** @type {number[]} */
  const merged = [];
  for (const id of ids) {
    if (merged.length && merged[merged.length - 1] === left && id === right) {
      merged[merged.length - 1] = newId;
    } else {
      merged.push(id);
    }
  }
  return merged;
}

/**
 * A tokenizer made of its merges; the merge at index `i` makes the token `256 + i`.
 * @param {Pair[]} merges
 */
export function createTokenizer(merges) {
  /** @type {Map<number, Map<number, number>>} the new id, by left and then by right id */
  const newIds = new Map();
  /** @type {number[][]} the bytes that each id stands for */
  const bytes = BYTES.map((byte) => [byte]);
  for (const [left, right] of merges) {
    const known = newIds.get(left) ?? new Map();
    newIds.set(left, known.set(right, bytes.length));
    bytes.push([...bytes[left], ...bytes[right]]);
  }

  /**
   * The pair that was learned first among the neighbours in `ids`, and what it makes.
   * @param {number[]} ids
   * @returns {{ pair: Pair, newId: number } | null} `null` when no two can be joined
   */
  function firstPair(ids) {
    /** @type {{ pair: Pair, newId: number } | null} */
    let first = null;
    for (let i = 1; i < ids.length; i++) {
      const newId = newIds.get(ids[i - 1])?.get(ids[i]);
      if (newId !== undefined && (first === null || newId < first.newId)) {
        first = { pair: [ids[i - 1], ids[i]], newId };
      }
    }
    return first;
  }

  return {
    merges,
    bytes,
    firstPair,

    /**
     * The ids of each piece of a text.
     * @param {string} text without lone surrogates
     * @param {number} [used] how many of the merges to apply, the first ones
     * @returns {number[][]}
     */
    encode(text, used = merges.length) {
      return pieces(text).map((piece) => {
        let ids = byteIds(piece);
        for (let next = firstPair(ids); next && next.newId < N_BYTES + used; next = firstPair(ids)) {
          ids = mergePair(ids, next.pair, next.newId);
        }
        return ids;
      });
    },

    /** @param {Iterable<number>} ids @returns {string} with � for what is no UTF-8 */
    decode(ids) {
      const joined = Array.from(ids).flatMap((id) => bytes[id]);
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(joined));
    },
  };
}

/**
 * Read what Python's `TokenBench` sends: `"left,right left,right …"`, short enough to travel in a
 * notebook.
 * @param {string} text
 * @returns {Pair[]}
 */
export function readMerges(text) {
  return text
    .split(" ")
    .filter(Boolean)
    .map((pair) => /** @type {Pair} */ (pair.split(",").map(Number)));
}

/** @param {number} start @param {number} end @returns {number[]} */
function range(start, end) {
  return Array.from({ length: end - start }, (_, i) => start + i);
}
