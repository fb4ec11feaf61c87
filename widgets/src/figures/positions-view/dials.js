/** Pairs of features as dials: a hand for each of the two places, and the turn between them. */
import { element, put, putText } from "../../lib/dom.js";
import { svg } from "../../lib/svg.js";
import { fill } from "../../lib/words.js";
import { degrees } from "./sentences.js";
import { shownPairs } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

const MOST = 8;
const SIZE = 72;
const RADIUS = 31;
const ARC = 13;

/** Where a hand ends, as on a clock: from the top, clockwise. @param {number} angle @param {number} radius */
function tip(angle, radius) {
  const [x, y] = [SIZE / 2 + radius * Math.sin(angle), SIZE / 2 - radius * Math.cos(angle)];
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

/** The way from one angle to a later one, without whole turns. @param {number} from @param {number} turn */
export function arc(from, turn) {
  const rest = turn % (2 * Math.PI);
  if (rest < 0.02) return "";
  const large = rest > Math.PI ? 1 : 0;
  return `M${tip(from, ARC)}A${ARC} ${ARC} 0 ${large} 1 ${tip(from + rest, ARC)}`;
}

/** @param {Context} context */
export function createDials({ words }) {
  const dials = Array.from({ length: MOST }, () => {
    const first = svg("path", { class: "cb-hand cb-first" });
    const second = svg("path", { class: "cb-hand cb-second" });
    const way = svg("path", { class: "cb-way" });
    const name = element("span", { class: "cb-name" });
    const angle = element("span", { class: "cb-angle" });
    const face = svg(
      "svg",
      { width: SIZE, height: SIZE, viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": "true" },
      svg("circle", { class: "cb-face", cx: SIZE / 2, cy: SIZE / 2, r: RADIUS }),
      way,
      first,
      second,
    );
    return { first, second, way, name, angle, node: element("li", {}, face, name, angle) };
  });
  return {
    node: element(
      "div",
      { class: "cb-dials" },
      element("p", {}, words.dials),
      element("ol", { "aria-label": words.dials }, ...dials.map(({ node }) => node)),
    ),
    /** @param {Picture} picture */
    update({ state, found }) {
      const shown = shownPairs(found.speeds.length, MOST);
      dials.forEach(({ first, second, way, name, angle, node }, i) => {
        node.hidden = i >= shown.length;
        if (node.hidden) return;
        const speed = found.speeds[shown[i]];
        const from = state.place * speed;
        put(first, "d", `M${SIZE / 2} ${SIZE / 2}L${tip(from, RADIUS - 3)}`);
        put(second, "d", `M${SIZE / 2} ${SIZE / 2}L${tip(from + state.shift * speed, RADIUS - 3)}`);
        put(way, "d", arc(from, state.shift * speed));
        putText(name, fill(words.pair, { pair: shown[i] }));
        putText(angle, fill(words.angle, { degrees: degrees(state.shift * speed) }));
      });
    },
  };
}
