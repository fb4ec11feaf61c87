/** The picture in words. */
import { format } from "../../lib/numbers.js";
import { fill } from "../../lib/words.js";
import { distanceOf } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A power of ten. @param {number} exponent */
export function power(exponent) {
  const digits = [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPTS[Number(digit)]);
  return `10${exponent < 0 ? "⁻" : ""}${digits.join("")}`;
}

/** A positive number of any size. @param {number} x */
export function amount(x) {
  if (x === 0) return "0";
  if (x >= 0.01 && x < 1000) return format(x, x < 10 ? 2 : 0);
  let exponent = Math.floor(Math.log10(x));
  let first = (x / 10 ** exponent).toFixed(1);
  if (first === "10.0") [first, exponent] = ["1.0", exponent + 1];
  return `${first}\u00a0·\u00a0${power(exponent)}`;
}

/** Where half is left. @param {Context} context @param {Picture} picture */
export function halfOf({ words }, { found, state }) {
  if (found.half === null) return fill(words.never_half, { last: state.length - 1 });
  return fill(words.half, { distance: found.half });
}

/** What is read off. @param {Context} context @param {Picture} picture */
export function readingOf({ words }, { state, found }) {
  const distance = distanceOf(state);
  const matrix = amount(state.radius ** distance);
  return fill(words.reading, { distance, share: amount(found.curve[distance]), matrix });
}

/** The slopes of tanh. @param {Context} context @param {Picture} picture */
export function slopeOf({ words }, { found }) {
  return fill(words.slope, { slope: format(found.slope) });
}

/** What clipping would do. @param {Context} context @param {Picture} picture */
export function clippingOf({ words }, { found: { norm } }) {
  if (norm <= 1) return fill(words.no_clipping, { norm: amount(norm) });
  return fill(words.clipping, { norm: amount(norm), factor: amount(1 / norm) });
}

/** What a listener needs in place of the picture. @param {Context} context @param {Picture} picture */
export function spokenOf(context, picture) {
  const parts = [readingOf, halfOf, slopeOf, clippingOf];
  return parts.map((part) => part(context, picture)).join(" ");
}
