/** The same sentence by other models: without attention, with Luong's, trained without positions. */
import { element, putText } from "../../lib/dom.js";
import { isJapanese } from "../../lib/japanese.js";
import { whenNear } from "../../lib/weights.js";
import { common, createOther } from "./engine.js";
import { notesOf } from "./label.js";
import { UNTOUCHED } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./picture.js").Picture} Picture */

/** @param {Context} context */
export function createBeside(context) {
  const { words, others, longest, load, actions, engine, signal } = context;
  const rows = others.map((name) => {
    const said = element("span", { class: "cb-others-words", role: "status" }, words.loading);
    const title = /** @type {Record<string, string>} */ (words.models)[name.replaceAll("-", "_")] ?? name;
    return {
      name,
      said,
      node: element("li", {}, element("span", { class: "cb-model" }, title), said),
      /** @type {ReturnType<typeof createOther> | null} */
      translate: null,
      shown: "",
    };
  });
  const own = element("span", { class: "cb-others-words" });
  const node = element(
    "details",
    { class: "cb-beside" },
    element("summary", {}, words.beside),
    element("p", { class: "cb-note" }, words.beside_note),
    element("ul", {}, element("li", {}, element("span", { class: "cb-model" }, words.models.untouched), own), ...rows.map((row) => row.node)),
  );
  node.hidden = rows.length === 0;
  let asked = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  signal.addEventListener("abort", () => clearTimeout(timer));

  async function loadAll() {
    if (asked) return;
    asked = true;
    await whenNear(node, signal);
    await Promise.all(
      rows.map(async (row) => {
        try {
          row.translate = createOther(await load(row.name), longest);
        } catch (error) {
          console.error(error);
          putText(row.said, words.not_loaded);
        }
        if (!signal.aborted) actions.redraw();
      }),
    );
  }
  node.addEventListener("toggle", () => node.open && loadAll(), { signal });

  /** @param {Picture} picture */
  function draw({ state }) {
    const greedy = engine.original({ ...state, width: 1 }, UNTOUCHED); // as the others write
    const ours = greedy.steps.map((step) => engine.textOf(step.token)).filter((word) => word !== engine.stop);
    own.replaceChildren(...ours.map((word) => wordOf(context, word, true)));
    const key = state.sentence.join(" ");
    for (const row of rows) {
      if (!row.translate || row.shown === key) continue;
      row.shown = key;
      const theirs = row.translate(state.sentence);
      if (!theirs) {
        putText(row.said, words.no_such_word);
        continue;
      }
      const [, same] = common(ours, theirs);
      row.said.replaceChildren(...theirs.map((word, i) => wordOf(context, word, same[i])));
    }
  }

  return {
    node,
    /** @param {Picture} picture */
    update(picture) {
      if (!node.open) return;
      // the figure first: these models follow in a moment of their own
      clearTimeout(timer);
      timer = setTimeout(() => draw(picture), 30);
    },
  };
}

/** A word above its reading and meaning. @param {Context} context @param {string} word @param {boolean} same as the Transformer's */
function wordOf(context, word, same) {
  return element(
    "span",
    { class: "cb-noted" },
    element("span", { class: same ? "cb-word" : "cb-word cb-other", lang: isJapanese(word) ? "ja" : undefined }, word),
    element("span", { class: "cb-notes" }, notesOf(context, word)),
  );
}
