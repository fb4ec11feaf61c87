import { setAttributes } from "./dom.js";

/** @typedef {import("./dom.js").Attributes} Attributes */

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(node, attributes);
  node.append(...children);
  return node;
}

/**
 * A linear map from an interval of numbers to an interval of pixels.
 * @param {[number, number]} domain
 * @param {[number, number]} range
 * @returns {{ (x: number): number, invert(pixel: number): number }}
 */
export function linear([d0, d1], [r0, r1]) {
  const slope = (r1 - r0) / (d1 - d0);
  const scale = (/** @type {number} */ x) => r0 + (x - d0) * slope;
  scale.invert = (/** @type {number} */ pixel) => d0 + (pixel - r0) / slope;
  return scale;
}

/**
 * A generous guess at the width of a label, in units of the font size. Measuring would force a
 * layout at every redraw.
 * @param {string} text
 */
export function textWidth(text) {
  let width = 0;
  // kana, kanji and other full-width signs take a square each
  for (const sign of text) width += /[\u1100-\u11ff\u2e80-\uffef]/.test(sign) ? 1 : 0.58;
  return width;
}

/**
 * Cut a label that is too long for its place.
 * @param {string} text
 * @param {number} width in units of the font size
 */
export function shorten(text, width) {
  if (textWidth(text) <= width) return text;
  let cut = "";
  for (const sign of text) {
    if (textWidth(`${cut}${sign}…`) > width) break;
    cut += sign;
  }
  return `${cut}…`;
}
