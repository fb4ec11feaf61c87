/** The sentence as text: typed, with completion of each word, and a word that is not known explained. */
import { element, put, putText, putValue, uniqueId } from "../../lib/dom.js";
import { plainly, spellingDistance } from "../../lib/spelling.js";
import { fill } from "../../lib/words.js";
import { MOST_WORDS } from "./state.js";

/** @typedef {import("./index.js").Context} Context */

const MOST = 6;
const NEAREST = 3;
/** Letters shown of a word, and of a link's sentence, that are quoted. */
const LONGEST_WORD = 24;
const LONGEST_TEXT = 80;
/** Words named where none is spelled alike. */
const SOME = 8;

/** @param {Context} context */
export function createField({ words, engine, actions, examples, signal }) {
  const id = uniqueId("sentence");
  const list = element("ul", { class: "cb-options", id: `${id}-list`, role: "listbox", "aria-label": words.completions });
  list.hidden = true;
  const input = element("input", {
    type: "text",
    id,
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": `${id}-list`,
    "aria-describedby": `${id}-message`,
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
  });
  const message = element("p", { class: "cb-complaint", id: `${id}-message`, role: "status" });
  const repairs = element("span", { class: "cb-repairs" });
  const stale = element("span", { class: "cb-note" });
  const select = element(
    "select",
    { "aria-label": words.examples },
    element("option", { value: "" }, words.examples),
    ...examples.map((sentence, i) => element("option", { value: i }, written(sentence))),
  );

  /** The options that fit the word at the caret. @type {string[]} */
  let offered = [];
  let active = -1;
  /** @type {string[]} */
  let current = [];
  /** The unknown word that is explained now. */
  let explained = "";
  /** What is wrong with a link, until it is said. */
  let complaint = "";

  /** Where the word at the caret begins and ends. @returns {[number, number]} */
  function around() {
    const caret = input.selectionStart ?? input.value.length;
    const before = input.value.slice(0, caret);
    const first = caret - (/[^\s.,!?]*$/.exec(before)?.[0].length ?? 0);
    return [first, caret + (/^[^\s.,!?]*/.exec(input.value.slice(caret))?.[0].length ?? 0)];
  }

  function offer() {
    const [first, end] = around();
    const begun = plainly(input.value.slice(first, end));
    offered = begun ? engine.words.filter((word) => word.startsWith(begun) && word !== begun).slice(0, MOST) : [];
    list.replaceChildren(
      ...offered.map((word, i) => element("li", { role: "option", id: `${id}-${i}`, "aria-selected": "false" }, word)),
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

  function close() {
    offered = [];
    list.hidden = true;
    put(input, "aria-expanded", "false");
    reach(-1);
  }

  /** @param {string} word in place of the one at the caret */
  function take(word) {
    const [first, end] = around();
    input.value = input.value.slice(0, first) + word + input.value.slice(end);
    input.setSelectionRange(first + word.length, first + word.length);
    close();
    apply();
  }

  /** Translate what stands there, or say what is in the way. @param {boolean} [typing] */
  function apply(typing = false) {
    const sentence = read(input.value, engine);
    const unknown = sentence.filter((word) => !engine.knows(word));
    // the word that is being typed need not be known yet
    const [first, end] = around();
    const begun = typing ? plainly(input.value.slice(first, end)) : "";
    const stranger = unknown.find((word) => word !== begun || !offered.length);
    const fault = faultOf(sentence, stranger);
    put(input, "aria-invalid", String(fault !== "" && sentence.length > 0));
    actions.unread(fault !== "");
    putText(message, fault);
    const trouble = sentence.length > MOST_WORDS ? "" : (stranger ?? "");
    // a button that is being pressed must not be made anew
    if (trouble !== explained) repairs.replaceChildren(...(trouble ? alike(trouble, engine.words).map((word) => repair(trouble, word)) : []));
    explained = trouble;
    if (!unknown.length && !fault && sentence.join(" ") !== current.join(" ")) actions.read(sentence);
  }

  /** Why a sentence cannot be translated; "" where it can. @param {string[]} sentence @param {string} [stranger] a word that is not known */
  function faultOf(sentence, stranger) {
    if (sentence.length > MOST_WORDS) return fill(words.too_long, { count: MOST_WORDS });
    if (!sentence.length) return words.empty;
    if (stranger === undefined) return "";
    const nearest = alike(stranger, engine.words);
    const [phrase, named] = nearest.length ? [words.unknown, nearest] : [words.unknown_unlike, someOf(words.some_words.split(" "), engine)];
    return fill(phrase, { word: shortened(stranger, LONGEST_WORD), count: engine.words.length, words: named.join(", ") });
  }

  /** @param {string} wrong @param {string} word */
  function repair(wrong, word) {
    const button = element("button", { type: "button" }, fill(words.repair, { wrong: shortened(wrong, LONGEST_WORD), word }));
    button.addEventListener(
      "click",
      () => {
        input.value = written(read(input.value, engine).map((one) => (one === wrong ? word : one)));
        apply();
        input.focus();
      },
      { signal },
    );
    return button;
  }

  input.addEventListener(
    "input",
    (event) => {
      if (/** @type {InputEvent} */ (event).isComposing) return;
      offer();
      apply(true);
    },
    { signal },
  );
  input.addEventListener(
    "blur",
    () => {
      close();
      apply();
      if (input.getAttribute("aria-invalid") === "true") return;
      input.value = written(current);
      apply();
    },
    { signal },
  );
  input.addEventListener(
    "keydown",
    (event) => {
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !list.hidden) {
        const step = event.key === "ArrowDown" ? 1 : -1;
        reach((Math.max(active, step < 0 ? 0 : -1) + step + offered.length) % offered.length);
      } else if (event.key === "Enter") {
        if (active >= 0) take(offered[active]);
        else {
          close();
          apply();
        }
      } else if (event.key === "Escape") {
        close();
        input.value = written(current);
        apply();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    },
    { signal },
  );
  list.addEventListener("pointerdown", (event) => event.preventDefault(), { signal });
  list.addEventListener(
    "click",
    (event) => {
      const option = /** @type {Element} */ (event.target).closest("[role=option]");
      if (option) take(option.textContent ?? "");
    },
    { signal },
  );
  select.addEventListener(
    "change",
    () => {
      const sentence = examples[Number(select.value)];
      if (select.value !== "" && sentence) actions.read(sentence);
      select.value = "";
    },
    { signal },
  );

  /** What stands in the field is translated: nothing is wrong with it. */
  function accept() {
    putText(message, "");
    repairs.replaceChildren();
    explained = "";
    put(input, "aria-invalid", "false");
    actions.unread(false);
  }

  return {
    node: element(
      "div",
      { class: "cb-field" },
      element("label", { for: id }, words.type),
      element("span", { class: "cb-combobox" }, input, list),
      select,
      element("div", { class: "cb-trouble" }, message, repairs, stale),
    ),
    /** Say at the next update what is wrong with a link. @param {string} text */
    complain: (text) => (complaint = text),
    /** Say that a link's sentence cannot be translated, and why. @param {string} text */
    refuse(text) {
      const sentence = read(text, engine);
      const reason = faultOf(sentence, sentence.find((word) => !engine.knows(word)));
      complaint = fill(words.link_unread, { sentence: shortened(text, LONGEST_TEXT), reason });
    },
    /** @param {import("./picture.js").Picture} picture */
    update({ state, unread }) {
      putText(stale, unread ? words.unread : "");
      const changed = state.sentence !== current;
      current = state.sentence;
      if (changed) {
        putValue(input, written(current));
        if (read(input.value, engine).join(" ") === current.join(" ")) accept();
      }
      if (complaint) putText(message, complaint);
      complaint = "";
    },
  };
}

/**
 * What is typed as words and marks of the model. It ends with a full stop: the model has never seen a
 * sentence that does not, nor one with a mark of another kind, unless it has learned that mark.
 * @param {string} text
 * @param {Pick<import("./engine.js").Engine, "knows">} engine
 */
export function read(text, engine) {
  const plain = plainly(text);
  const stopped = engine.knows("!") || engine.knows("?") ? plain : plain.replace(/\.*[!?][.!?]*/g, ".");
  const found = stopped.replace(/([.,!?])/g, " $1 ").split(/\s+/).filter(Boolean);
  const [last] = found.slice(-1);
  return found.length && !/^[.!?]$/.test(last) && engine.knows(".") ? [...found, "."] : found;
}

/** @param {string} text @param {number} most letters */
function shortened(text, most) {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most).join("")}…` : text;
}

/**
 * The words that one may have been meant to be: at most a third of its letters are others. One sign
 * alone is like nothing, and marks are no words.
 * @param {string} text
 * @param {string[]} known
 */
function alike(text, known) {
  if ([...text].length < 2) return [];
  return known
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => ({ word, distance: spellingDistance(text, word.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(text.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEAREST)
    .map(({ word }) => word);
}

/** Words of each kind, or of a model that has learned others the first. @param {string[]} kinds @param {import("./engine.js").Engine} engine */
function someOf(kinds, engine) {
  const known = kinds.filter(engine.knows);
  return known.length ? known : engine.words.slice(0, SOME);
}

/** Words as a sentence is written. @param {string[]} sentence */
export function written(sentence) {
  return sentence.join(" ").replace(/ ([.,!?])/g, "$1");
}
