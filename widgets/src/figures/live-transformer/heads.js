/** All heads at a glance: choose one to look at, switch one off, or a whole layer. */
import { element, put } from "../../lib/dom.js";
import { fill } from "../../lib/words.js";
import { mapOf } from "./engine.js";
import { KINDS, headOf, layerOf } from "./state.js";
import { picture as canvas, shadeOfWeights } from "./strip.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./picture.js").Picture} Picture */

/** @param {Context} context */
export function createHeads(context) {
  const { words, engine, actions, colours, signal } = context;
  const { layers, heads } = engine.config;
  const tabs = KINDS.map((kind) => {
    const node = element("button", { type: "button" }, words.kinds[kind]);
    node.addEventListener("click", () => actions.turn({ kind }), { signal });
    return { kind, node };
  });
  /** @type {import("./state.js").Kind} */
  let kind = "cross";

  const rows = Array.from({ length: layers }, (_, layer) => {
    const all = Array.from({ length: heads }, (_, head) => one(layer, head));
    const mean = element("button", { type: "button", class: "cb-mean" }, words.mean);
    mean.addEventListener("click", () => actions.turn({ layer, head: -1 }), { signal });
    const on = toggle(() => layerOf(kind, layer));
    const node = element(
      "div",
      { class: "cb-layer", role: "group" },
      element("label", { class: "cb-toggle" }, on, fill(words.layer, { layer: layer + 1 })),
      element("div", { class: "cb-heads" }, ...all.map((head) => head.node), mean),
    );
    return { node, layer, all, mean, on };
  });

  /** @param {number} layer @param {number} head */
  function one(layer, head) {
    const map = canvas("cb-thumb");
    const name = element("span", {}, fill(words.head, { head: head + 1 }));
    const look = element("button", { type: "button", class: "cb-look" }, map.node, name);
    look.addEventListener("click", () => actions.turn({ layer, head }), { signal });
    const on = toggle(() => headOf(kind, layer, head));
    put(on, "aria-label", fill(words.head_on, { layer: layer + 1, head: head + 1 }));
    return { node: element("div", { class: "cb-head" }, look, element("label", { class: "cb-toggle" }, on, words.on)), look, on, map, head };
  }

  /** @param {() => string} part */
  function toggle(part) {
    const input = element("input", { type: "checkbox" });
    input.addEventListener("change", () => actions.switch(part(), input.checked), { signal });
    return input;
  }

  return {
    node: element(
      "div",
      { class: "cb-all-heads" },
      element("div", { class: "cb-tabs", role: "group", "aria-label": words.which }, ...tabs.map(({ node }) => node)),
      element("p", { class: "cb-note" }, words.map_note),
      ...rows.map(({ node }) => node),
    ),
    /** @param {Picture} picture */
    update({ state, view, translation, columns, count }) {
      kind = view.kind;
      const { heat, ground } = colours.get();
      const shade = shadeOfWeights(heat);
      for (const tab of tabs) put(tab.node, "aria-pressed", String(tab.kind === kind));
      for (const { layer, all, mean, on, node } of rows) {
        const place = layerOf(kind, layer);
        const dead = state.off.includes(place);
        on.checked = !dead;
        node.classList.toggle("cb-off", dead);
        put(node, "aria-label", fill(words.layer_of[kind === "encoder" ? "encoder" : "decoder"], { layer: layer + 1 }));
        put(mean, "aria-pressed", String(view.layer === layer && view.head < 0));
        for (const { head, look, on: headOn, map, node: box } of all) {
          put(look, "aria-pressed", String(view.layer === layer && view.head === head));
          headOn.checked = !state.off.includes(headOf(kind, layer, head));
          headOn.disabled = dead;
          box.classList.toggle("cb-off", dead || !headOn.checked);
          const rowsOf = mapOf(translation, kind, layer, head);
          map.draw(kind === "encoder" ? rowsOf : rowsOf.slice(0, count), columns, shade, ground);
        }
      }
    },
  };
}
