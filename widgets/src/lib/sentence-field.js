/** A sentence that is typed freely: every word is completed from the vocabulary, in its place. */
import { addStyles, element, put, putText, putValue, uniqueId } from "./dom.js";
import { piecesOf, textOf } from "./sentence.js";
import style from "./sentence-field.css";
import { closest } from "./spelling.js";
import { fill } from "./words.js";

const OFFERED = 8;
const NEAREST = 3;

/**
 * @param {object} options
 * @param {string[]} options.vocabulary
 * @param {number} options.most words and marks that a sentence may have
 * @param {Record<"sentence" | "vocabulary" | "empty" | "unknown" | "too_long", string>} options.words
 * @param {(tokens: string[]) => void} options.write told a sentence of known words
 * @param {(index: number) => void} [options.mark] told which word the caret is in; -1 for none
 * @param {AbortSignal} options.signal
 */
export function createSentenceField({ vocabulary, most, words, write, mark = () => {}, signal }) {
  const id = uniqueId("sentence");
  const known = new Set(vocabulary);
  const input = element("input", {
    type: "text",
    id,
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": `${id}-options`,
    "aria-describedby": `${id}-complaint`,
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    lang: "en",
  });
  const list = element("ul", {
    class: "cb-options",
    id: `${id}-options`,
    role: "listbox",
    "aria-label": words.vocabulary,
  });
  list.hidden = true;
  const complaint = element("p", { class: "cb-complaint", id: `${id}-complaint`, role: "status" });

  /** @type {string[]} */
  let offered = [];
  let active = -1;

  /** The word at the caret. */
  const here = () => {
    const caret = input.selectionStart ?? 0;
    const pieces = piecesOf(input.value);
    const index = pieces.findIndex(({ start, end }) => start <= caret && caret <= end);
    return { index, piece: pieces[index] };
  };

  function offer() {
    const { piece } = here();
    const token = piece?.token ?? "";
    const fitting = vocabulary.filter((word) => word.startsWith(token) && word !== token);
    const others = known.has(token) || !token ? [] : closest(token, vocabulary, NEAREST);
    open((token ? (fitting.length ? fitting : others) : vocabulary).slice(0, OFFERED));
  }

  /** @param {string[]} fitting */
  function open(fitting) {
    offered = fitting;
    list.replaceChildren(
      ...offered.map((word, i) => element("li", { role: "option", id: `${id}-${i}` }, word)),
    );
    list.hidden = offered.length === 0;
    put(input, "aria-expanded", String(!list.hidden));
    reach(-1);
  }

  /** @param {number} index */
  function reach(index) {
    active = index;
    [...list.children].forEach((option, i) => put(option, "aria-selected", String(i === active)));
    if (active < 0) input.removeAttribute("aria-activedescendant");
    else put(input, "aria-activedescendant", `${id}-${active}`);
  }

  /** Put a word in the place of that at the caret. @param {string} word */
  function take(word) {
    const caret = input.selectionStart ?? 0;
    const { start, end } = here().piece ?? { start: caret, end: caret };
    input.setRangeText(word, start, end, "end");
    open([]);
    read();
  }

  /** Whether a word at the caret may still become one that is known. @param {string} token */
  const begun = (token) =>
    token === here().piece?.token && vocabulary.some((word) => word.startsWith(token));

  /**
   * Translate what stands there, or say what keeps it from being translated.
   * @param {boolean} [typing] a word that is not finished is no mistake yet
   */
  function read(typing = false) {
    const tokens = piecesOf(input.value).map(({ token }) => token);
    const strangers = tokens.filter((token) => !known.has(token));
    if (typing && strangers.length === 1 && begun(strangers[0])) return clear();
    const [stranger] = strangers;
    let trouble = "";
    if (!tokens.length) trouble = words.empty;
    else if (stranger !== undefined) {
      const nearest = closest(stranger, vocabulary, NEAREST).join(", ");
      trouble = fill(words.unknown, { word: stranger, nearest });
    } else if (tokens.length > most) {
      trouble = fill(words.too_long, { most, count: tokens.length });
    }
    if (!trouble) {
      clear();
      return write(tokens);
    }
    putText(complaint, trouble);
    put(input, "aria-invalid", "true");
  }

  function clear() {
    putText(complaint, "");
    put(input, "aria-invalid", "false");
  }

  const look = () => mark(here().index);

  input.addEventListener(
    "input",
    (event) => {
      // while an input method composes, what stands there is not yet what is meant
      if (/** @type {InputEvent} */ (event).isComposing) return;
      look();
      read(true);
      offer();
    },
    { signal },
  );
  input.addEventListener("compositionend", () => read(true), { signal });
  for (const name of ["keyup", "click", "focus"]) input.addEventListener(name, look, { signal });
  input.addEventListener(
    "blur",
    () => {
      open([]);
      read();
    },
    { signal },
  );
  input.addEventListener(
    "keydown",
    (event) => {
      event.stopPropagation(); // JupyterLab would take letters for its own commands
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        const step = event.key === "ArrowDown" ? 1 : -1;
        if (list.hidden) offer();
        else reach((Math.max(active, step < 0 ? 0 : -1) + step + offered.length) % offered.length);
      } else if (event.key === "Enter") {
        const token = here().piece?.token;
        const word = offered[active] ?? (token && !known.has(token) ? offered[0] : undefined);
        if (!list.hidden && word) take(word);
        else open([]);
      } else if (event.key === "Escape" && !list.hidden) open([]);
      else return;
      event.preventDefault();
    },
    { signal },
  );
  // the field would be left before an option is chosen
  list.addEventListener("pointerdown", (event) => event.preventDefault(), { signal });
  list.addEventListener(
    "click",
    (event) => {
      const option = /** @type {Element} */ (event.target).closest("[role=option]");
      if (option) take(option.textContent ?? "");
    },
    { signal },
  );

  let shown = "";

  return {
    input,
    /** Give the field its looks. @param {HTMLElement} el of the figure */
    dress: (el) => addStyles(el, "sentence-field", style),
    node: element(
      "div",
      { class: "cb-sentence-field" },
      element("label", { for: id }, words.sentence),
      element("span", { class: "cb-combobox" }, input, list),
      complaint,
    ),
    /** Select a word, to be typed over. @param {number} index */
    select(index) {
      const piece = piecesOf(input.value)[index];
      input.focus();
      if (piece) input.setSelectionRange(piece.start, piece.end);
    },
    /** Show the sentence that is translated, whatever was typed. */
    restore() {
      input.value = shown;
      clear();
      open([]);
    },
    /** @param {string[]} sentence that is translated now */
    update(sentence) {
      const text = textOf(sentence);
      if (text === shown) return;
      shown = text;
      const typed = piecesOf(input.value).map(({ token }) => token);
      if (textOf(typed) !== text) putValue(input, text); // it came from elsewhere
    },
  };
}
