/** What a change of the model did to its translation: the untouched model's beside it. */
import { element, putText } from "../../lib/dom.js";
import { fill } from "../../lib/words.js";
import { format } from "../../lib/numbers.js";
import { share, wordNode } from "./label.js";
import { UNTOUCHED } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./picture.js").Picture} Picture */

/** @param {Context} context */
export function createChanged(context) {
  const { words, engine } = context;
  const said = element("p", { class: "cb-verdict" });
  const label = element("span", { class: "cb-note" }, words.untouched);
  const tokens = element("span", { class: "cb-others-words" });
  const node = element("div", { class: "cb-changed" }, said, element("div", { class: "cb-untouched" }, label, tokens));
  let shown = "";

  return {
    node,
    /** @param {Picture} picture */
    update(picture) {
      putText(said, verdict(context, picture));
      const { original, originalKept, untouched } = picture;
      tokens.parentElement?.toggleAttribute("hidden", untouched);
      const key = original.steps.map((step, i) => `${step.token}${originalKept[i]}`).join(" ");
      if (key === shown) return;
      shown = key;
      tokens.replaceChildren(
        ...original.steps.map((step, i) => {
          const word = wordNode(context, engine.textOf(step.token));
          if (!originalKept[i]) word.classList.add("cb-other");
          return word;
        }),
      );
    },
  };
}

/** @param {Context} context @param {Picture} picture */
export function verdict({ words, engine }, { untouched, kept, originalKept, was, original, translation, view, state }) {
  if (untouched) return state.width > 1 ? beamed(words, engine, state, translation) : words.nothing_changed;
  if (view.written !== null) return words.still_writing;
  const changes = changesOf(words, state).join(", ");
  const gone = original.steps.filter((_, i) => !originalKept[i]).map(({ token }) => token);
  const fresh = translation.steps.filter((_, i) => !kept[i]).map(({ token }) => token);
  const moved = shared(gone, fresh);
  const [lost, added] = [gone.length - moved, fresh.length - moved];
  if (lost || added) {
    const parts = [counted(words.words_lost, lost), counted(words.words_added, added)];
    return fill(words.words_changed, { changes, parts: [...parts, ...(moved ? [counted(words.words_moved, moved)] : [])].join(", ") });
  }
  if (moved) return fill(words.words_swapped, { changes });
  const fall = Math.max(...was.map((before, i) => (before ?? 0) - translation.steps[i].probability), 0);
  return fill(words.only_chances, { changes, fall: share(fall) });
}

/** How many of one list the other has too: words that stand elsewhere. @param {number[]} one @param {number[]} other */
function shared(one, other) {
  const rest = [...other];
  return one.filter((token) => rest.includes(token) && rest.splice(rest.indexOf(token), 1)).length;
}

/**
 * What is not as it was trained, and what was forced.
 * @param {import("./words.js").Words} words
 * @param {import("./state.js").State} state
 */
function changesOf(words, state) {
  const { temperature, off, forced } = state;
  const switches = /** @type {const} */ (["scale", "positions", "residuals"]).filter((name) => !state[name]);
  const layers = off.filter((part) => part.split(".").length === 2).length;
  return [
    ...(temperature === 1 ? [] : [fill(words.changes.temperature, { temperature: format(temperature) })]),
    ...switches.map((name) => words.changes[name]),
    ...(layers ? [counted(words.changes.layers, layers)] : []),
    ...(off.length > layers ? [counted(words.changes.heads, off.length - layers)] : []),
    ...Object.values(forced).map((word) => fill(words.changes.forced, { word })),
  ];
}

/** @param {{ one: string, other: string }} phrases @param {number} count */
const counted = (phrases, count) => fill(count === 1 ? phrases.one : phrases.other, { count });

/**
 * What a beam has changed of the untouched model's words.
 * @param {import("./words.js").Words} words
 * @param {import("./engine.js").Engine} engine
 * @param {import("./state.js").State} state
 * @param {import("./engine.js").Translation} translation
 */
function beamed(words, engine, state, translation) {
  const greedy = engine.original({ ...state, width: 1 }, UNTOUCHED).steps.map(({ token }) => token);
  if (greedy.join() === translation.steps.map(({ token }) => token).join()) return fill(words.beam_same, { width: state.width });
  const written = greedy.map((token) => engine.textOf(token)).filter((word) => word !== engine.stop);
  return fill(words.beam_other, { width: state.width, greedy: written.join("") });
}
