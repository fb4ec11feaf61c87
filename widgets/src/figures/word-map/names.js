/** The words' names on the map: the best ones always, the others where there is room. */
import { put } from "../../lib/dom.js";
import { svg, textWidth } from "../../lib/svg.js";
import { boxAround, inTurn, overlap, placeLabels } from "./labels.js";
import { RINGED } from "./state.js";

/** @typedef {import("./labels.js").Box} Box */
/** @typedef {{ x: number, y: number, r: number }} Mark in pixels */

const FONT = 12;
const LINE = 14;

/** @param {{ space: import("./state.js").Space }} options */
export function createNames({ space }) {
  const names = space.words.map((word) => svg("text", { class: "cb-name" }, word));
  const widths = space.words.map((word) => textWidth(word) * FONT + 2);

  /** Names at rest: placed anew only when the map changes. */
  let resting = { wanted: "", places: /** @type {Map<number, Box>} */ (new Map()) };

  /** @param {{ shown: string[], marks: Mark[], size: number }} options */
  function placeResting({ shown, marks, size }) {
    const wanted = `${size} ${marks.map(({ x }) => x.toFixed())} ${shown}`;
    if (resting.wanted === wanted) return;
    const visible = space.words.map((_, i) => i).filter((i) => shown.includes(space.classes[i]));
    const places = placeLabels({
      order: inTurn(visible, (i) => space.classes[i]),
      marks,
      widths,
      height: LINE,
      size,
      taken: visible.map((i) => boxAround(marks[i], marks[i].r * 0.5)),
    });
    resting = { wanted, places };
  }

  return {
    node: svg("g", {}, ...names),
    /**
     * @param {object} options
     * @param {import("./index.js").Picture} options.picture
     * @param {Mark[]} options.marks of all words
     * @param {number} options.size of the map in pixels
     * @param {Box[]} options.taken where no name may lie; grows
     * @param {number} options.covered how far the puck reaches over the mark of the word that asks
     */
    update({ picture, marks, size, taken, covered }) {
      const { state, found, marked } = picture;
      placeResting({ shown: state.shown, marks, size });
      const first = [
        ...(marked === null ? [] : [marked]),
        ...found.used,
        ...found.byCosine.slice(0, RINGED),
        ...found.byProduct.slice(0, RINGED),
      ].filter((i) => state.shown.includes(space.classes[i]));
      const best = new Set(first);
      if (state.asks === "word") {
        const [i] = found.used;
        marks = marks.with(i, { ...marks[i], r: covered });
      }
      const places = placeLabels({ order: [...best], marks, widths, height: LINE, size, taken });
      names.forEach((name, i) => {
        const quiet = best.has(i) ? undefined : resting.places.get(i);
        const box = places.get(i) ?? (quiet && !taken.some((one) => overlap(one, quiet)) ? quiet : null);
        name.classList.toggle("cb-gone", !box);
        name.classList.toggle("cb-best", best.has(i));
        name.classList.toggle("cb-marked", marked === i);
        if (!box) return;
        put(name, "x", (box.left + 1).toFixed(1));
        put(name, "y", (box.bottom - 3).toFixed(1));
      });
    },
  };
}
