/** What the figure knows, and the look-up that follows from it. */
import { scaledDotProductAttention } from "../../lib/attention.js";
import { matrix } from "../../lib/tensor.js";

/** @typedef {[number, number]} Point */

/**
 * The traits that a reader can change; Python's `SoftDictionary` has the same.
 * @typedef {object} State
 * @property {Point[]} keys
 * @property {number[]} values
 * @property {string[]} names
 * @property {boolean[]} mask `true` = may attend
 * @property {Point} query
 * @property {number} temperature 0 = hard look-up
 * @property {number} scale factor on the scores
 */

/**
 * What an author sets once.
 * @typedef {object} Labels
 * @property {[[string, string], [string, string]]} axes words at both ends of each axis
 * @property {string} unit of the values
 */

/** @typedef {{ scores: number[], weights: number[], output: number }} Found */

/** Where Python keeps each entry: ipywidgets has a use of its own for `keys`. */
export const TRAITS = {
  keys: "key_vectors",
  values: "values",
  names: "names",
  mask: "mask",
  query: "query",
  temperature: "temperature",
  scale: "scale",
};

/** The limits of Python's `SoftDictionary`: it refuses what lies outside. */
export const MAX_KEYS = 16;
export const MAX_COORDINATE = 1000;
export const MAX_VALUE = 1e6;
export const MAX_NAME = 40;

/** 1/√d_k in the plane. */
export const PLANE_SCALE = Math.SQRT1_2;

/**
 * @param {State} state
 * @returns {Found}
 */
export function lookUp({ query, keys, values, mask, scale, temperature }) {
  const { scores, weights, output } = scaledDotProductAttention(
    matrix([query]),
    matrix(keys),
    matrix(values.map((value) => [value])),
    { mask: [mask], scale, temperature },
  );
  return {
    scores: Array.from(scores.data),
    weights: Array.from(weights.data),
    output: output.data[0],
  };
}

/** Whether there is one value, name and mask entry for each key. @param {State} state */
export function consistent({ keys, values, names, mask }) {
  return [values, names, mask].every((list) => list.length === keys.length);
}

/**
 * Half the width of the plane that holds every point, with some air.
 * @param {Point[]} points
 */
export function reach(points) {
  const furthest = Math.max(...points.flat().map(Math.abs));
  const wanted = furthest * 1.15 || 1;
  // a rounded number, so that a small move of the outermost key does not shift the picture
  const step = 10 ** Math.floor(Math.log10(wanted)) / 2;
  return Math.ceil(wanted / step) * step;
}

/**
 * A place for a new key: the point of a coarse grid that lies furthest from all others.
 * @param {Point[]} taken
 * @param {number} half of the plane
 * @returns {Point}
 */
export function freePlace(taken, half) {
  /** @type {{ point: Point, room: number }} */
  let best = { point: [0, 0], room: -1 };
  for (let i = -3; i <= 3; i++) {
    for (let j = -3; j <= 3; j++) {
      /** @type {Point} */
      const point = [(i * half) / 4, (j * half) / 4];
      const room = Math.min(...taken.map(([x, y]) => Math.hypot(point[0] - x, point[1] - y)));
      if (room > best.room) best = { point, room };
    }
  }
  return best.point;
}

/**
 * @param {Pick<State, "keys" | "values" | "names" | "mask">} state
 * @param {{ key: Point, value: number, name: string }} added
 */
export function withKey({ keys, values, names, mask }, { key, value, name }) {
  return {
    keys: [...keys, key],
    values: [...values, value],
    names: [...names, name],
    mask: [...mask, true],
  };
}

/**
 * @param {Pick<State, "keys" | "values" | "names" | "mask">} state
 * @param {number} index
 */
export function withoutKey({ keys, values, names, mask }, index) {
  return {
    keys: keys.toSpliced(index, 1),
    values: values.toSpliced(index, 1),
    names: names.toSpliced(index, 1),
    mask: mask.toSpliced(index, 1),
  };
}

/**
 * @template T
 * @param {T[]} list
 * @param {number} index
 * @param {T} item
 * @returns {T[]} a copy with one item replaced
 */
export function replaced(list, index, item) {
  return list.map((old, i) => (i === index ? item : old));
}
