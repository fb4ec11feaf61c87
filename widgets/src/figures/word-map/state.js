/** What the figure knows, and what follows from it: the query, and who is nearest to it. */

/** @typedef {[number, number]} Point */

/**
 * What an author sets once.
 * @typedef {object} Data
 * @property {string[]} words
 * @property {number[][]} vectors a row for each word
 * @property {string[]} classes the class of each word
 * @property {number[][]} directions the two axes of the map, as vectors of length 1 at right angles
 * @property {Analogy[]} analogies
 */

/** `label` names its button, `words` are a, b and c, and `expected` is what the author would answer.
 * @typedef {{ label: string, words: [string, string, string], expected: string }} Analogy */

/**
 * The traits that a reader can change; Python's `WordMap` has the same.
 * @typedef {object} State
 * @property {"word" | "place" | "analogy"} asks which of the next three is the query
 * @property {string} word
 * @property {Point} place on the map
 * @property {[string, string, string]} analogy a is to b as c is to …
 * @property {string[]} shown the classes that are on the map and in the rankings
 */

/** Where Python keeps each entry. */
export const TRAITS = {
  asks: "asks",
  word: "word",
  place: "place",
  analogy: "analogy",
  shown: "shown",
};

/** The limit of Python's `WordMap`. */
export const MAX_COORDINATE = 1000;

/** How many words a ranking lists. */
export const LISTED = 8;
/** How many of them are marked on the map. */
export const RINGED = 5;

/**
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 */
export function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** @param {ArrayLike<number>} vector */
export const lengthOf = (vector) => Math.sqrt(dot(vector, vector));

/**
 * What does not change while the reader asks.
 * @typedef {ReturnType<typeof createSpace>} Space
 */

/** @param {Data} data */
export function createSpace({ words, vectors, classes, directions, analogies }) {
  const lengths = vectors.map(lengthOf);
  const units = vectors.map((vector, i) => vector.map((x) => (lengths[i] ? x / lengths[i] : 0)));
  const onMap = (/** @type {number[]} */ vector) =>
    /** @type {Point} */ ([dot(directions[0], vector), dot(directions[1], vector)]);
  const numbers = new Map(words.map((word, i) => [word, i]));
  return {
    words,
    vectors,
    lengths,
    units,
    classes,
    /** Every class once, in the order in which they come. */
    kinds: [...new Set(classes)],
    directions,
    analogies,
    /** Where each word's direction lies on the map. */
    places: units.map(onMap),
    onMap,
    /** @param {string} word */
    number: (word) => /** @type {number} */ (numbers.get(word)),
    /** @param {string} word */
    has: (word) => numbers.has(word),
  };
}

/**
 * @typedef {object} Found
 * @property {number[]} query the vector that asks
 * @property {number} length of the query
 * @property {Point} at where it lies on the map
 * @property {number[]} used the words that ask; they are no answers
 * @property {number[]} cosines for each word
 * @property {number[]} products for each word: its dot product with the query
 * @property {number[]} byCosine the words that are ranked, the best first
 * @property {number[]} byProduct
 */

/**
 * @param {Space} space
 * @param {State} state
 * @returns {Found}
 */
export function search(space, state) {
  const used = usedBy(space, state);
  const query = queryOf(space, state);
  const length = lengthOf(query);
  const products = space.vectors.map((vector) => dot(query, vector));
  const cosines = products.map((product, i) => {
    const both = length * space.lengths[i];
    return both ? product / both : 0;
  });
  const shown = new Set(state.shown);
  const candidates = space.words
    .map((_, i) => i)
    .filter((i) => shown.has(space.classes[i]) && !used.includes(i));
  const ranked = (/** @type {number[]} */ scores) =>
    [...candidates].sort((i, j) => scores[j] - scores[i]);
  return {
    query,
    length,
    at: space.onMap(query),
    used,
    cosines,
    products,
    byCosine: ranked(cosines),
    byProduct: ranked(products),
  };
}

/** @param {Space} space @param {State} state @returns {number[]} */
function usedBy(space, { asks, word, analogy }) {
  if (asks === "word") return [space.number(word)];
  return asks === "analogy" ? analogy.map(space.number) : [];
}

/**
 * A word asks with its direction, an analogy with `b - a + c` of three directions, and a place on
 * the map with a vector of the map's plane: 0 along every other direction.
 * @param {Space} space
 * @param {State} state
 * @returns {number[]}
 */
function queryOf({ units, directions, number }, { asks, word, place, analogy }) {
  if (asks === "word") return units[number(word)];
  if (asks === "place") {
    return directions[0].map((x, i) => place[0] * x + place[1] * directions[1][i]);
  }
  const [a, b, c] = analogy.map((one) => units[number(one)]);
  return a.map((x, i) => b[i] - x + c[i]);
}

/**
 * Half the width of a square around the origin that holds all points, with some air.
 * @param {Point[]} points
 */
export function reach(points) {
  return Math.max(...points.flat().map(Math.abs), 0.05) * 1.12;
}

/**
 * Whether the traits are of one figure; Python's may arrive one by one.
 * @param {Space} space
 * @returns {(state: State) => boolean}
 */
export function consistentWith(space) {
  return ({ word, analogy }) => [word, ...analogy].every(space.has);
}
