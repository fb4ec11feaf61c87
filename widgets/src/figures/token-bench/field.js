/** Where the reader types. */
import { element, put, putText, uniqueId } from "../../lib/dom.js";
import { fill } from "../../lib/words.js";
import { MAX_TEXT, admit } from "./state.js";
import { langOf } from "./visible.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/**
 * What is typed is never changed under the reader's hands: the figure takes from it what it can
 * show, and says so where that is not all.
 * @param {Context} context
 */
export function createField({ words, commit, signal }) {
  const id = uniqueId("text");
  const note = element("p", { class: "cb-complaint", role: "status" });
  const input = element("textarea", {
    id,
    rows: 2,
    class: "cb-text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
  });
  const node = element(
    "div",
    { class: "cb-field" },
    element("label", { for: id }, words.text),
    input,
    note,
  );

  /** The text that the cuts on show belong to; another one came from elsewhere. */
  let shown = "";
  // an input method writes and rewrites its guesses into the field: what counts is its last word
  let composing = false;

  function take() {
    const { text, length, broken } = admit(input.value);
    const complaints = [];
    if (length > MAX_TEXT) complaints.push(fill(words.too_long, { length, limit: MAX_TEXT }));
    if (broken) complaints.push(words.broken);
    putText(note, complaints.join(" "));
    shown = text;
    commit({ text });
  }

  input.addEventListener("compositionstart", () => (composing = true), { signal });
  input.addEventListener(
    "compositionend",
    () => {
      composing = false;
      take();
    },
    { signal },
  );
  input.addEventListener(
    "input",
    (event) => {
      if (!composing && !(/** @type {InputEvent} */ (event).isComposing)) take();
    },
    { signal },
  );
  // an input method uses the keys of a notebook's commands, Enter and Escape above all
  input.addEventListener("keydown", (event) => event.stopPropagation(), { signal });

  return {
    node,
    /** Put another text into the field, as a button does. @param {string} text */
    replace(text) {
      input.value = text;
      take();
    },
    /** @param {Picture} picture */
    update({ state }) {
      put(input, "lang", langOf(state.text));
      if (state.text === shown || composing) return;
      shown = state.text;
      input.value = state.text;
      putText(note, "");
    },
  };
}
