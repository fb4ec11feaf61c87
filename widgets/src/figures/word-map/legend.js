/** The classes with colour and shape; a class that is not ticked is neither shown nor ranked. */
import { element } from "../../lib/dom.js";
import { fill } from "../../lib/words.js";
import { badge } from "./shapes.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** @param {Context} context */
export function createLegend({ words, space, actions, signal }) {
  const entries = space.kinds.map((kind, i) => {
    const box = element("input", { type: "checkbox" });
    box.addEventListener("change", () => actions.show(kind, box.checked), { signal });
    return { box, kind, node: element("label", {}, box, badge(i), element("span", {}, kind)) };
  });
  const dim = space.directions[0].length;
  return {
    node: element(
      "div",
      { class: "cb-legend" },
      element(
        "div",
        { class: "cb-classes", role: "group", "aria-label": words.classes },
        ...entries.map(({ node }) => node),
      ),
      element("p", { class: "cb-note" }, fill(dim > 2 ? words.map_note : words.plane_note, { dim })),
    ),
    /** @param {Picture} picture */
    update({ state }) {
      for (const { box, kind } of entries) box.checked = state.shown.includes(kind);
    },
  };
}
