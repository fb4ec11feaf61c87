/** The text three times, cut at the same places: as tokens, as bytes, as ids. */
import { element, put } from "../../lib/dom.js";
import { tokenOf } from "./sentences.js";
import { hex, langOf, plain, show, showBytes } from "./visible.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */
/** @typedef {import("./visible.js").Part} Part */

// neighbours differ; the colours' own order keeps apart what colour-blind readers might confuse
const COLOURS = 4;

/** @param {Context} context */
export function createStrips(context) {
  const { words, mark, signal } = context;
  const tokens = element("div", {
    class: "cb-strip cb-tokens",
    role: "listbox",
    "aria-orientation": "horizontal",
    "aria-label": words.tokens,
  });
  // the bytes and the id of each token are in its label above, for those who do not see them
  const bytes = element("div", { class: "cb-strip cb-bytes", "aria-hidden": "true" });
  const ids = element("div", { class: "cb-strip cb-ids", "aria-hidden": "true" });
  const node = element(
    "div",
    { class: "cb-strips" },
    ...[
      [words.tokens, tokens],
      [words.bytes, bytes],
      [words.ids, ids],
    ].flatMap(([name, strip]) => [element("p", { class: "cb-strip-name" }, name), strip]),
  );

  /** @type {HTMLElement[]} */
  let chips = [];
  /** All pictures of each token. @type {HTMLElement[][]} */
  let pictures = [];
  /** The token that a Tab leads to. */
  let active = 0;
  /** @type {HTMLElement[]} */
  let marked = [];

  /** @param {Event} event */
  function tokenAt(event) {
    const found = /** @type {Element} */ (event.target).closest("[data-token]");
    return found ? Number(found.getAttribute("data-token")) : null;
  }

  /** The token in focus, while one is. */
  function focused() {
    const root = /** @type {Document | ShadowRoot} */ (node.getRootNode());
    const place = chips.indexOf(/** @type {HTMLElement} */ (root.activeElement));
    return place >= 0 ? place : null;
  }

  /** @param {number} token */
  function activate(token) {
    if (chips[active]) chips[active].tabIndex = -1;
    active = token;
    chips[active].tabIndex = 0;
  }

  node.addEventListener("pointerover", (event) => mark(tokenAt(event) ?? focused()), { signal });
  node.addEventListener("pointerleave", () => mark(focused()), { signal });
  node.addEventListener(
    "click",
    (event) => {
      const token = tokenAt(event);
      if (token !== null) chips[token].focus({ preventScroll: true });
    },
    { signal },
  );
  tokens.addEventListener(
    "focusin",
    (event) => {
      const token = tokenAt(event);
      if (token === null) return;
      activate(token);
      mark(token);
    },
    { signal },
  );
  tokens.addEventListener("focusout", () => mark(null), { signal });
  tokens.addEventListener(
    "keydown",
    (event) => {
      const steps = { ArrowLeft: active - 1, ArrowRight: active + 1, Home: 0, End: chips.length - 1 };
      if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      chips[steps[/** @type {keyof typeof steps} */ (event.key)]]?.focus();
    },
    { signal },
  );

  return {
    node,
    /** @param {Picture} picture */
    update(picture) {
      const { cuts } = picture;
      marked = [];
      chips = cuts.tokens.map((token, i) => {
        const chip = piece(i, "cb-chip", ...partNodes(showBytes(token.bytes)));
        put(chip, "role", "option");
        put(chip, "aria-selected", "false");
        put(chip, "aria-label", tokenOf(context, picture, i));
        put(chip, "lang", langOf(plain(token.bytes)));
        chip.tabIndex = -1;
        if (token.opens) chip.classList.add("cb-opens");
        return chip;
      });
      for (const place of cuts.next?.places ?? []) {
        chips[place].classList.add("cb-next-left");
        chips[place + 1].classList.add("cb-next-right");
      }
      const numbers = cuts.tokens.map(({ id }, i) => piece(i, "cb-id", String(id)));
      pictures = chips.map((chip, i) => [chip, numbers[i]]);
      const characters = cuts.characters.map((character) => {
        const cells = character.bytes.map(({ byte, token }) => {
          const cell = piece(token, "cb-byte", hex(byte));
          pictures[token].push(cell);
          return cell;
        });
        return element(
          "span",
          { class: "cb-character" },
          element(
            "span",
            { class: "cb-caption", lang: langOf(character.text) },
            ...partNodes([show(character.text)]),
          ),
          element("span", { class: "cb-cells" }, ...cells),
        );
      });
      tokens.replaceChildren(...(chips.length ? chips : [empty(words.nothing)]));
      bytes.replaceChildren(...characters);
      ids.replaceChildren(...numbers);
      if (chips.length) activate(Math.min(active, chips.length - 1));
    },
    /** @param {number | null} token */
    mark(token) {
      for (const picture of marked) picture.classList.remove("cb-marked");
      for (const chip of marked.slice(0, 1)) put(chip, "aria-selected", "false");
      marked = token === null ? [] : (pictures[token] ?? []);
      for (const picture of marked) picture.classList.add("cb-marked");
      for (const chip of marked.slice(0, 1)) put(chip, "aria-selected", "true");
    },
  };
}

/**
 * One picture of a token, in its colour.
 * @param {number} token
 * @param {string} kind
 * @param {...(Node | string)} children
 */
function piece(token, kind, ...children) {
  const colour = `var(--cb-key-${token % COLOURS})`;
  const attributes = { class: `cb-piece ${kind}`, style: `--colour:${colour}` };
  return element("span", { ...attributes, "data-token": token }, ...children);
}

/** @param {string} text */
function empty(text) {
  return element("span", { class: "cb-nothing", role: "option", "aria-selected": "false" }, text);
}

/** @param {Part[]} parts @returns {(Node | string)[]} */
function partNodes(parts) {
  return parts.flatMap(({ text, kind }, i) => {
    const apart = i > 0 && [kind, parts[i - 1].kind].includes("code");
    const node = kind === "text" ? text : element("span", { class: `cb-${kind}` }, text);
    return apart ? [" ", node] : [node];
  });
}
