/** A row for each head: its switch, and what it takes from each phrase. */
import { element, put } from "../../lib/dom.js";
import { fill } from "../../lib/words.js";
import { createHeat } from "../attention-view/heat.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** @param {Context} context */
export function createHeads({ given, words, commit, get, signal }) {
  const rows = given.example.on.map((_, head) => {
    const input = element("input", { type: "checkbox", role: "switch" });
    input.addEventListener(
      "change",
      () => commit({ on: get().on.map((was, i) => (i === head ? input.checked : was)) }),
      { signal },
    );
    const name = element("label", { class: "cb-head" }, input, " ", fill(words.head, { number: head + 1 }));
    const cells = given.example.phrases.map(() => {
      const cell = element("div", { class: "cb-heat cb-weight", "aria-hidden": "true" });
      return { cell, heat: createHeat(cell) };
    });
    return { input, name, cells, nodes: [name, ...cells.map(({ cell }) => cell)] };
  });
  return {
    nodes: rows.flatMap(({ nodes }) => nodes),
    /** @param {Picture} picture */
    update({ state, reply }) {
      rows.forEach(({ input, nodes, cells }, head) => {
        if (input.checked !== state.on[head]) input.checked = state.on[head];
        for (const node of nodes) put(node, "data-on", String(state.on[head]));
        cells.forEach(({ heat }, place) => heat(reply.weights[head][place], false));
      });
    },
  };
}
