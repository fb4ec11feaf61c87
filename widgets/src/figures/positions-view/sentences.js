/** The picture in words. */
import { format } from "../../lib/numbers.js";
import { fill } from "../../lib/words.js";
import { MOST_PLACE, PLACES } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** An angle within one turn, in whole degrees. @param {number} radians */
export function degrees(radians) {
  return Math.round((radians * 180) / Math.PI) % 360;
}

/** Thousands apart. @param {number} x */
export const whole = (x) => Math.round(x).toLocaleString("en-US");

/**
 * What the two places have in common, what the shift does, how long the slowest wave is.
 * @param {Context} context @param {Picture} picture
 */
export function sentencesOf({ words }, { state, found }) {
  const { place, shift, width } = state;
  // another place, as far from this one as the table allows
  const elsewhere = place < MOST_PLACE / 2 ? MOST_PLACE : 0;
  const same = fill(words.same, {
    first: place,
    second: place + shift,
    dot: format(found.dot),
    most: width / 2,
    third: elsewhere,
    fourth: elsewhere + shift,
  });
  const turn = fill(words.turn, {
    shift,
    fastest: degrees(found.turns[0]),
    slowest: format((found.turns[found.turns.length - 1] * 180) / Math.PI),
    first: place,
    second: place + shift,
    error: found.error.toFixed(3),
  });
  const long = found.slowest < PLACES ? words.wave_short : words.wave_long;
  return [same, turn, fill(long, { slowest: whole(found.slowest), places: PLACES })];
}

/** @param {Context} context @param {Picture} picture */
export function spokenOf(context, picture) {
  const { width, base } = picture.state;
  const sizes = fill(context.words.spoken, { width, base: whole(base) });
  return [sizes, ...sentencesOf(context, picture)].join(" ");
}
