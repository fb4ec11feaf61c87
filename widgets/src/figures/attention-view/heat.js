/** A weight as a number and as a colour. */
import { putText } from "../../lib/dom.js";

/** A weight as it is written in a figure: 1, .45, 0. @param {number} weight */
export function share(weight) {
  const text = weight.toFixed(2);
  return Number(text) === 0 ? "0" : text.replace(/^0/, "").replace(/\.00$/, "");
}

/** The same, with "<.01" for what is small and yet not nothing. @param {number} weight */
export function fineShare(weight) {
  return weight > 0 && weight < 0.01 ? "<.01" : share(weight);
}

/**
 * Write a weight into an element and colour it, the deeper the heavier.
 * @param {HTMLElement} node
 * @param {HTMLElement} [number] the part of it that holds the number
 * @param {(weight: number) => string} [write]
 */
export function createHeat(node, number = node, write = share) {
  /** @type {number | null} */
  let shown = null;
  /** @param {number} weight @param {boolean} masked */
  return (weight, masked) => {
    const value = masked ? -1 : weight;
    if (value === shown) return;
    shown = value;
    putText(number, write(weight));
    // a bent scale: among many tokens, weights of a few hundredths must be told from nothing
    const depth = weight ** 0.6;
    node.style.setProperty("--depth", `${(depth * 100).toFixed(1)}%`);
    const level = masked ? "masked" : levelOf(weight, depth);
    if (node.dataset.level !== level) node.dataset.level = level;
  };
}

/** @param {number} weight @param {number} depth */
function levelOf(weight, depth) {
  if (weight < 0.005) return "none";
  if (weight < 0.05) return "faint";
  // where black or white letters stand out, on the ground of a light and of a dark page
  return depth > 0.72 ? "deep" : depth > 0.49 ? "mid" : "pale";
}
