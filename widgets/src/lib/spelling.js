/** Words that are spelled alike: what to offer for one that is not known. */

/**
 * How many letters must be changed, added, taken away or swapped with their neighbour to make one
 * word of the other (Damerau, 1964).
 * @param {string} one
 * @param {string} other
 */
export function spellingDistance(one, other) {
  const [a, b] = [[...one], [...other]];
  /** The three rows that a step looks at: two letters back, one letter back, and its own. */
  let before = /** @type {number[]} */ ([]);
  let last = b.map((_, j) => j).concat(b.length);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(change, last[j] + 1, row[j - 1] + 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length];
}

/**
 * The words of a list that are spelled most alike, the closest first.
 * @param {string} text
 * @param {string[]} words
 * @param {number} count
 */
export function closest(text, words, count) {
  return words
    .map((word) => ({ word, distance: spellingDistance(text, word.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ word }) => word);
}

/**
 * A word as it is compared: small letters, and full-width ones, as a Japanese keyboard gives them,
 * made plain.
 * @param {string} text
 */
export function plainly(text) {
  return text.normalize("NFKC").trim().toLowerCase();
}
