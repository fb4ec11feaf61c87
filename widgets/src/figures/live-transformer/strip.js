/** Numbers as a strip of colours, and maps as small pictures: a canvas is drawn in a fraction of a frame. */
import { element } from "../../lib/dom.js";

/** @typedef {[number, number, number]} Colour */

/** @typedef {{ heat: Colour, ground: Colour, above: Colour, below: Colour }} Colours */

/**
 * Colours of the style sheet as numbers, in a light and in a dark page: a probe wears all four.
 * @param {() => void} changed told when the page's theme is another one
 * @param {AbortSignal} signal
 */
export function createColours(changed, signal) {
  const node = element("span", { class: "cb-probe", "aria-hidden": "true" });
  /** @type {Colours | null} */
  let known = null;
  const renew = () => {
    known = null;
    changed();
  };
  const watch = new MutationObserver(renew);
  watch.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "theme"] });
  signal.addEventListener("abort", () => watch.disconnect());
  window.matchMedia?.("(prefers-color-scheme: dark)").addEventListener("change", renew, { signal });
  return {
    node,
    renew,
    /** @returns {Colours} */
    get() {
      if (known) return known;
      const style = getComputedStyle(node);
      known = {
        heat: toRgb(style.color),
        ground: toRgb(style.backgroundColor),
        above: toRgb(style.borderTopColor),
        below: toRgb(style.borderBottomColor),
      };
      return known;
    },
  };
}

/** @param {string} text "rgb(1, 2, 3)" @returns {Colour} */
function toRgb(text) {
  const [red = 0, green = 0, blue = 0] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}

/**
 * A picture of one pixel for each number; the style sheet stretches it.
 * @param {string} name of its class
 */
export function picture(name) {
  const node = element("canvas", { class: name, "aria-hidden": "true" });
  const pen = node.getContext("2d");
  return {
    node,
    /**
     * @param {ArrayLike<number>[]} rows may be shorter than `cols`
     * @param {number} cols
     * @param {(x: number) => [number, Colour]} shade how much of which colour
     * @param {Colour} ground
     */
    draw(rows, cols, shade, ground) {
      if (!pen || !rows.length || !cols) return;
      if (node.width !== cols || node.height !== rows.length) {
        node.width = cols;
        node.height = rows.length;
      }
      const image = pen.createImageData(cols, rows.length);
      rows.forEach((row, i) => {
        for (let j = 0; j < row.length; j++) {
          const [depth, colour] = shade(row[j]);
          const place = 4 * (i * cols + j);
          for (let c = 0; c < 3; c++) image.data[place + c] = ground[c] + (colour[c] - ground[c]) * depth;
          image.data[place + 3] = 255;
        }
      });
      pen.putImageData(image, 0, 0);
    },
  };
}

/** Weights: among many tokens a few hundredths must be told from nothing. @param {Colour} heat */
export const shadeOfWeights =
  (heat) =>
  (/** @type {number} */ weight) =>
    /** @type {[number, Colour]} */ ([weight ** 0.6, heat]);

/**
 * Numbers above and below 0.
 * @param {Colour} above
 * @param {Colour} below
 * @param {number} largest that has the full colour
 */
export const shadeOfNumbers =
  (above, below, largest) =>
  (/** @type {number} */ x) =>
    /** @type {[number, Colour]} */ ([Math.min(1, Math.abs(x) / largest), x < 0 ? below : above]);
