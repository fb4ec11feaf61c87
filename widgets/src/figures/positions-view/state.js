/** What the figure knows, and what follows from it. */
import { dot, rowOf, speeds, turned } from "../../lib/positions.js";

/**
 * The traits that a reader can change; Python's `PositionsView` has the same.
 * @typedef {object} State
 * @property {number} place the first place
 * @property {number} shift how much later the second stands
 * @property {number} width number of features, even
 * @property {number} base
 */

/** @typedef {ReturnType<typeof look>} Found */

export const PLACES = 64;
export const MOST_PLACE = 47;
export const MOST_SHIFT = 16;

/** Where Python keeps each entry. @type {Record<keyof State & string, string>} */
export const TRAITS = { place: "place", shift: "shift", width: "width", base: "base" };

/** Each trait stands for itself. @param {State} state */
export const consistent = (state) => state.width % 2 === 0;

/** @param {State} state */
export function look({ place, shift, width, base }) {
  const steps = speeds(width, base);
  const turns = steps.map((speed) => shift * speed);
  const rows = Array.from({ length: PLACES }, (_, p) => rowOf(p, steps));
  const first = rows[place];
  const second = rows[place + shift];
  const made = turned(first, turns);
  return {
    speeds: steps,
    turns,
    rows,
    /** the first place with each, itself too */
    dots: rows.map((row) => dot(first, row)),
    dot: dot(first, second),
    /** how far the first place, turned, is from the second */
    error: Math.max(...made.map((x, i) => Math.abs(x - second[i]))),
    /** places that the slowest pair takes for a whole turn */
    slowest: (2 * Math.PI) / steps[steps.length - 1],
  };
}

/**
 * Which pairs are shown as dials: all if there are few, else evenly from the fastest to the slowest.
 * @param {number} pairs @param {number} most
 */
export function shownPairs(pairs, most) {
  if (pairs <= most) return Array.from({ length: pairs }, (_, i) => i);
  return Array.from({ length: most }, (_, i) => Math.round((i * (pairs - 1)) / (most - 1)));
}
