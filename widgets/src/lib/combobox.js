import { element, put, putValue, uniqueId } from "./dom.js";
import { closest, plainly } from "./spelling.js";

const MOST = 8;
const NEAREST = 3;

/**
 * A field for one word out of a list: type its beginning, then choose among those that fit by
 * pointer or by arrow keys and Enter. A word that is written out counts at once. For one that is
 * not in the list, those spelled most alike are offered.
 *
 * @param {object} options
 * @param {string} options.label name of the field
 * @param {string[]} options.words the list, without doubles
 * @param {() => string} options.get the word chosen now
 * @param {(word: string) => void} options.choose
 * @param {(text: string, nearest: string[]) => void} options.refuse told when the reader leaves a
 *   word that is not in the list; the old one comes back
 * @param {AbortSignal} options.signal
 */
export function combobox({ label, words, get, choose, refuse, signal }) {
  const id = uniqueId("options");
  const input = element("input", {
    type: "text",
    role: "combobox",
    "aria-label": label,
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": id,
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
  });
  const list = element("ul", { class: "cb-options", id, role: "listbox", "aria-label": label });
  list.hidden = true;

  /** The words on offer. @type {string[]} */
  let offered = [];
  /** Which of them the arrow keys have reached; -1 while the reader only types. */
  let active = -1;

  const known = () => words.find((word) => word.toLowerCase() === plainly(input.value));
  const begun = () => words.filter((word) => word.toLowerCase().startsWith(plainly(input.value)));

  /** @param {string[]} fitting */
  function open(fitting) {
    offered = fitting.slice(0, MOST);
    list.replaceChildren(
      ...offered.map((word, i) => element("li", { role: "option", id: `${id}-${i}` }, word)),
    );
    list.hidden = false;
    put(input, "aria-expanded", "true");
    reach(-1);
  }

  function close() {
    list.hidden = true;
    put(input, "aria-expanded", "false");
    put(input, "aria-invalid", "false");
    reach(-1);
  }

  /** @param {number} index */
  function reach(index) {
    active = index;
    [...list.children].forEach((option, i) => put(option, "aria-selected", String(i === active)));
    if (active < 0) input.removeAttribute("aria-activedescendant");
    else put(input, "aria-activedescendant", `${id}-${active}`);
  }

  /** @param {string} word */
  function take(word) {
    input.value = word;
    close();
    choose(word);
  }

  function typed() {
    const fitting = begun();
    put(input, "aria-invalid", String(fitting.length === 0));
    open(fitting.length ? fitting : closest(plainly(input.value), words, NEAREST));
    const word = known();
    if (word) choose(word);
  }

  /** What stands in the field counts, or is refused and the old word comes back. */
  function settle() {
    const text = input.value;
    const word = known();
    close();
    if (word && word !== get()) choose(word);
    if (!word && plainly(text)) refuse(text, closest(plainly(text), words, NEAREST));
    input.value = get();
  }

  input.addEventListener(
    "input",
    (event) => {
      // while an input method composes, what stands there is not yet what is meant
      if (!(/** @type {InputEvent} */ (event).isComposing)) typed();
    },
    { signal },
  );
  input.addEventListener("compositionend", typed, { signal });
  input.addEventListener("focus", () => input.select(), { signal });
  input.addEventListener("blur", settle, { signal });
  input.addEventListener(
    "click",
    () => {
      if (list.hidden) open(words);
    },
    { signal },
  );
  input.addEventListener(
    "keydown",
    (event) => {
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        const step = event.key === "ArrowDown" ? 1 : -1;
        if (list.hidden) open(words);
        else reach((Math.max(active, step < 0 ? 0 : -1) + step + offered.length) % offered.length);
      } else if (event.key === "Enter") {
        const word = offered[active] ?? known() ?? begun()[0];
        if (!list.hidden && plainly(input.value) && word) take(word);
        else settle();
      } else if (event.key === "Escape" && !list.hidden) {
        input.value = get();
        close();
      } else return;
      event.preventDefault();
      event.stopPropagation();
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

  return {
    node: element("span", { class: "cb-combobox" }, input, list),
    input,
    update() {
      putValue(input, get());
    },
  };
}
