/** All weights of a head at once: a row for each word that asks. */
import { element, put, putText } from "../../lib/dom.js";
import { fill } from "../../lib/words.js";
import { share, textOf, wordNode } from "./label.js";
import { picture as canvas, shadeOfWeights } from "./strip.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./picture.js").Picture} Picture */

/** @param {Context} context */
export function createMatrix(context) {
  const { words, actions, colours, signal } = context;
  const map = canvas("cb-map");
  const top = element("div", { class: "cb-top" });
  const side = element("div", { class: "cb-side" });
  const row = element("span", { class: "cb-row-mark" });
  const column = element("span", { class: "cb-column-mark" });
  const ground = element("div", { class: "cb-ground", role: "img" }, map.node, row, column);
  const said = element("p", { class: "cb-said" });
  /** @type {Picture | null} */
  let last = null;
  let shown = "";

  /** @param {PointerEvent} event @returns {[number, number] | null} */
  function under(event) {
    if (!last) return null;
    const box = ground.getBoundingClientRect();
    const i = Math.floor(((event.clientY - box.top) / box.height) * last.asking.length);
    const j = Math.floor(((event.clientX - box.left) / box.width) * last.answering.length);
    return i >= 0 && i < last.asking.length && j >= 0 && j < last.answering.length ? [i, j] : null;
  }
  const mark = (/** @type {PointerEvent} */ event) => {
    const cell = under(event);
    actions.mark(cell && { query: cell[0], key: cell[1] });
  };
  ground.addEventListener("pointermove", mark, { signal });
  ground.addEventListener("pointerdown", mark, { signal });
  ground.addEventListener(
    "click",
    (event) => {
      const cell = under(/** @type {PointerEvent} */ (event));
      if (cell && last) actions.turn({ side: last.view.kind === "encoder" ? "source" : "target", index: cell[0] });
    },
    { signal },
  );
  ground.addEventListener("pointerleave", () => actions.mark(null), { signal });

  return {
    node: element("div", { class: "cb-matrix" }, element("span", {}), top, side, ground, said),
    /** @param {Picture} picture */
    update(picture) {
      last = picture;
      const { map: rows, asking, answering, shown: marked, view } = picture;
      const { heat, ground: empty } = colours.get();
      map.node.classList.toggle("cb-off", picture.silent !== null);
      map.draw(rows, answering.length, shadeOfWeights(heat), empty);
      const key = `${asking.join(" ")}|${answering.join(" ")}`;
      if (key !== shown) {
        top.replaceChildren(...answering.map((token) => wordNode(context, token)));
        side.replaceChildren(...asking.map((token) => wordNode(context, token)));
        ground.style.setProperty("--rows", String(asking.length));
        ground.style.setProperty("--columns", String(answering.length));
      }
      shown = key;
      place(row, "--at", marked.query);
      place(column, "--at", marked.key);
      [...side.children].forEach((node, i) => node.classList.toggle("cb-marked", i === marked.query));
      [...top.children].forEach((node, j) => node.classList.toggle("cb-marked", j === marked.key));
      put(ground, "aria-label", fill(words.matrix[view.kind], { layer: view.layer + 1, head: headName(context, view.head) }));
      putText(said, takes(context, picture));
    },
  };
}

/** @param {HTMLElement} node @param {string} name @param {number | null} at */
function place(node, name, at) {
  node.hidden = at === null;
  if (at !== null) node.style.setProperty(name, String(at));
}

/** @param {Context} context @param {number} head */
export function headName({ words }, head) {
  return head < 0 ? words.mean_name : fill(words.head_name, { head: head + 1 });
}

/**
 * What the marked word takes from which, in a sentence, or would take if the head were on.
 * @param {Context} context
 * @param {Picture} picture
 */
export function takes(context, picture) {
  const { silent } = picture;
  const off = silent ? context.words.silent[silent] : "";
  return silent === "layer" ? off : [off, taken(context, picture)].filter(Boolean).join(" ");
}

/** @param {Context} context @param {Picture} picture */
function taken(context, { map, asking, answering, shown: { query, key } }) {
  const { words } = context;
  if (query !== null && key !== null) {
    const weight = map[query]?.[key];
    return fill(words.takes, {
      query: textOf(context, asking[query]),
      parts: fill(words.part, { weight: share(weight ?? 0), key: textOf(context, answering[key]) }),
    });
  }
  if (query === null) {
    if (key === null) return words.point;
    const askers = map.map((row, i) => ({ i, weight: row[key] ?? 0 })).sort((a, b) => b.weight - a.weight);
    const parts = askers.slice(0, 3).map(({ i, weight }) => `${textOf(context, asking[i])} ${share(weight)}`);
    return fill(words.gives, { key: textOf(context, answering[key]), parts: parts.join(", ") });
  }
  const row = map[query] ?? [];
  const order = Array.from(row, (_, j) => j).sort((a, b) => row[b] - row[a]).slice(0, 3);
  const parts = order
    .filter((j) => row[j] >= 0.01)
    .map((j) => fill(words.part, { weight: share(row[j]), key: textOf(context, answering[j]) }));
  return fill(words.takes, { query: textOf(context, asking[query]), parts: parts.join(", ") });
}
