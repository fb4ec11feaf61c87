/** One row for each key: name, score, weight, value, mask. */
import { element, put, putText, putValue } from "../../lib/dom.js";
import { format, parse, short } from "../../lib/numbers.js";
import { fill } from "../../lib/words.js";
import { MAX_NAME, MAX_VALUE } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** @param {Context} context */
export function createRows({ words, labels, actions, signal }) {
  /** @type {Picture} */
  let now;
  const head = element(
    "div",
    { class: "cb-row cb-head", role: "row" },
    ...[words.key, words.score, words.weight, labels.unit || words.value, words.mask].map((word) =>
      element("span", { role: "columnheader" }, word),
    ),
    element("span", { role: "columnheader" }, element("span", { class: "cb-hidden" }, words.remove)),
  );
  const body = element("div", { role: "rowgroup" });
  const node = element(
    "div",
    { class: "cb-rows", role: "table", "aria-label": words.rows },
    element("div", { role: "rowgroup" }, head),
    body,
  );

  /** @param {number} index */
  function createRow(index) {
    const name = textInput({ maxlength: MAX_NAME });
    const value = textInput({ inputmode: "decimal", class: "cb-number" });
    const score = element("span", { class: "cb-score", role: "cell" });
    const number = element("span", { class: "cb-weight-number" });
    const bar = element("span", { class: "cb-bar" });
    const mask = element("input", { type: "checkbox" });
    const remove = element("button", { type: "button", class: "cb-remove" }, "×");
    const row = element(
      "div",
      { class: "cb-row", role: "row" },
      element("span", { class: "cb-name-cell", role: "rowheader" }, name),
      score,
      element("span", { class: "cb-weight", role: "cell" }, number, bar),
      element("span", { role: "cell" }, value),
      element("span", { role: "cell" }, element("label", { class: "cb-mask" }, mask)),
      element("span", { role: "cell" }, remove),
    );
    // the last good entry comes back when a bad one is left
    editable(name, {
      read: (text) => text.trim() || null,
      show: () => now.state.names[index],
      set: (text) => actions.rename(index, text),
      refused: () => words.bad_name,
    });
    editable(value, {
      read: (text) => parse(text, MAX_VALUE),
      show: () => short(now.state.values[index]),
      set: (x) => actions.setValue(index, x),
      refused: (text) => {
        const kept = short(now.state.values[index]);
        return fill(words.bad_number, { text, kept, limit: MAX_VALUE.toLocaleString("en") });
      },
    });
    mask.addEventListener("change", () => actions.setMask(index, mask.checked), { signal });
    remove.addEventListener("click", () => actions.removeKey(index), { signal });
    actions.marks(row, index);
    return { row, name, value, score, number, bar, mask, remove };
  }

  /**
   * Good entries count at once; a bad one is marked, and refused when the reader leaves it.
   * @template T
   * @param {HTMLInputElement} input
   * @param {object} options
   * @param {(text: string) => T | null} options.read
   * @param {() => string} options.show
   * @param {(entry: T) => void} options.set
   * @param {(text: string) => string} options.refused
   */
  function editable(input, { read, show, set, refused }) {
    input.addEventListener(
      "input",
      () => {
        const entry = read(input.value);
        put(input, "aria-invalid", String(entry === null));
        if (entry === null) return;
        actions.complain("");
        set(entry);
      },
      { signal },
    );
    input.addEventListener(
      "change",
      () => {
        if (read(input.value) === null) actions.complain(refused(input.value));
        input.value = show();
        put(input, "aria-invalid", "false");
      },
      { signal },
    );
  }

  /** @type {ReturnType<typeof createRow>[]} */
  let rows = [];

  return {
    node,
    /** @param {number} index */
    focusName(index) {
      rows[index].name.focus();
      rows[index].name.select();
    },
    /** @param {number} index */
    focusRemove: (index) => rows[Math.min(index, rows.length - 1)].remove.focus(),

    /** @param {string[]} colours one for each key */
    rebuild(colours) {
      rows = colours.map((_, index) => createRow(index));
      rows.forEach(({ row }, index) => row.style.setProperty("--colour", colours[index]));
      body.replaceChildren(...rows.map(({ row }) => row));
    },

    /** @param {Picture} picture */
    update(picture) {
      now = picture;
      const { state, found, marked } = picture;
      rows.forEach(({ row, name, value, score, number, bar, mask, remove }, i) => {
        const named = { name: state.names[i] };
        row.classList.toggle("cb-marked", marked === i);
        row.classList.toggle("cb-masked", !state.mask[i]);
        putValue(name, state.names[i]);
        put(name, "aria-label", fill(words.name_of, named));
        putValue(value, short(state.values[i]));
        put(value, "aria-label", fill(words.value_of, named));
        putText(score, format(found.scores[i]));
        putText(number, format(found.weights[i]));
        bar.style.setProperty("--share", found.weights[i].toFixed(4));
        mask.checked = state.mask[i];
        put(mask, "aria-label", fill(words.mask_of, named));
        put(remove, "aria-label", fill(words.remove_of, named));
        remove.disabled = rows.length === 1;
      });
    },
  };
}

/** @param {import("../../lib/dom.js").Attributes} attributes */
function textInput(attributes) {
  return element("input", { type: "text", autocomplete: "off", spellcheck: "false", ...attributes });
}
