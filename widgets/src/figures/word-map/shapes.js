/** A shape and a colour for each class of words: either of them tells two classes apart. */
import { svg } from "../../lib/svg.js";

/** Paths around the origin, of about the area of a circle with radius 1. */
const SHAPES = [
  "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0Z", // disc
  "M0-1.5L1.35.85H-1.35Z", // triangle
  "M-.89-.89H.89V.89H-.89Z", // square
  "M0-1.3L1.3 0 0 1.3-1.3 0Z", // diamond
  "M-.42-1.3H.42V-.42H1.3V.42H.42V1.3H-.42V.42H-1.3V-.42H-.42Z", // plus
  "M0 1.5L-1.35-.85H1.35Z", // triangle on its tip
  "M0-1.6L.4-.52 1.52-.49.64.2.94 1.29 0 .66-.94 1.29-.64.2-1.52-.49-.4-.52Z", // star
  "M-1.15 0a1.15 1.15 0 1 0 2.3 0a1.15 1.15 0 1 0-2.3 0ZM-.65 0a.65.65 0 1 1 1.3 0a.65.65 0 1 1-1.3 0Z", // ring
];

export const MAX_CLASSES = SHAPES.length;

/** @param {number} kind number of the class */
export const shape = (kind) => svg("path", { class: "cb-shape", d: SHAPES[kind] });

/** @param {number} kind */
export const colour = (kind) => `var(--cb-key-${kind})`;

/** The shape as a small picture beside a word. @param {number} kind */
export function badge(kind) {
  const node = svg(
    "svg",
    { class: "cb-badge", viewBox: "-1.8 -1.8 3.6 3.6", "aria-hidden": "true" },
    shape(kind),
  );
  node.style.setProperty("--colour", colour(kind));
  return node;
}
