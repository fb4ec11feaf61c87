/** The beam's tree: at each step the beginnings that were kept, each joined to what it continues. */
import { element, put } from "../../lib/dom.js";
import { format } from "../../lib/numbers.js";
import { svg } from "../../lib/svg.js";
import { fill } from "../../lib/words.js";
import { END } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const STEP = 58; // pixels from one step to the next
const ROW = 26;
const EDGE = 14;

/** @param {Context} context */
export function createTree({ words }) {
  const picture = svg("svg", { "aria-hidden": "true" });
  const scroll = element(
    "div",
    { class: "cb-tree", role: "region", tabindex: 0, "aria-label": words.tree },
    picture,
  );
  const list = element("ol", { class: "cb-beams" });
  const title = element("p", { class: "cb-caption" });
  const ended = element("p", { class: "cb-caption" }, words.beams);
  let drawn = /** @type {object | null} */ (null);
  let followed = 0;

  return {
    node: element("div", { class: "cb-beam" }, title, scroll, ended, list),
    /** @param {Picture} shown */
    update({ state, translation, step }) {
      if (drawn !== translation) {
        drawn = translation;
        draw(translation, state.width);
      }
      for (const node of picture.querySelectorAll("[data-step]")) {
        node.classList.toggle("cb-now", node.getAttribute("data-step") === String(step));
      }
      follow(step);
    },
  };

  /** Bring a step into view, with the one before and the one behind it. @param {number} step */
  function follow(step) {
    if (followed === step) return;
    followed = step;
    const [start, end] = [STEP * (step - 1), STEP * (step + 2) + 2 * EDGE];
    if (start < scroll.scrollLeft) scroll.scrollLeft = start;
    else if (end > scroll.scrollLeft + scroll.clientWidth) scroll.scrollLeft = end - scroll.clientWidth;
  }

  /** @param {Picture["translation"]} translation @param {number} width */
  function draw({ levels, beams }, width) {
    title.textContent = width === 1 ? words.tree_greedy : fill(words.tree_title, { width });
    const rows = Math.max(...levels.map((level) => level.length));
    const size = [EDGE + STEP * levels.length + EDGE, ROW * rows + 8];
    for (const [name, value] of Object.entries({ width: size[0], height: size[1] })) put(picture, name, value);
    put(picture, "viewBox", `0 0 ${size[0]} ${size[1]}`);
    /** @param {number} i @param {number} row */
    const at = (i, row) => [EDGE + STEP * (i + 1) - STEP / 2, ROW * row + ROW / 2 + 4];
    /** @type {Element[]} */
    const lines = [];
    /** @type {Element[]} */
    const texts = [];
    levels.forEach((level, i) =>
      level.forEach((place) => {
        const [x, y] = at(i, place.row);
        const [px, py] = i === 0 ? [2, 4 + ROW / 2] : at(i - 1, place.parent);
        const wins = place.wins ? "cb-wins" : "";
        const waits = place.continues ? "" : "cb-waits";
        const from = px + (i === 0 ? 0 : 18);
        lines.push(
          svg("path", {
            class: `cb-branch ${wins} ${waits}`,
            d: `M${from} ${py}C${from + 12} ${py} ${x - 30} ${y} ${x - 18} ${y}`,
          }),
        );
        if (!place.continues) return;
        const text = svg("text", {
          class: `cb-leaf ${wins}`,
          "data-step": i,
          x,
          y: y + 5,
          "text-anchor": "middle",
        });
        text.textContent = place.token;
        text.setAttribute("lang", place.token === END ? "en" : "ja");
        texts.push(text);
      }),
    );
    picture.replaceChildren(...lines, ...texts);
    list.replaceChildren(
      ...beams.map(({ tokens, score }) =>
        element(
          "li",
          {},
          element("span", { lang: "ja" }, tokens.filter((token) => token !== END).join("")),
          " ",
          element("span", { class: "cb-score" }, format(score)),
        ),
      ),
    );
  }
}
