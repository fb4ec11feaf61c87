/** The source as a row of words: to choose one, to drag it onto another, to take it away. */
import { element, put, putText } from "../../lib/dom.js";
import { fill } from "../../lib/words.js";
import { textOf, wordNode } from "./label.js";
import { markOf } from "./marking.js";

/** @typedef {import("./index.js").Context} Context */

/** Pixels that a pointer moves before it drags. */
const SLACK = 6;

/** @param {Context} context */
export function createSource(context) {
  const { words, actions, signal } = context;
  const list = element("ol", { class: "cb-tokens", "aria-label": words.source });
  const told = element("span", { class: "cb-note" });
  // what a finger cannot do by keys
  const tools = {
    left: tool("‹", words.word_left, (i) => i > 0 && actions.swap(i, i - 1)),
    right: tool("›", words.word_right, (i) => i < buttons.length - 2 && actions.swap(i, i + 1)),
    away: tool("×", words.word_away, (i) => buttons.length > 2 && actions.remove(i)),
  };
  const row = element("div", { class: "cb-tools", role: "group", "aria-label": words.word_tools }, tools.left, tools.right, tools.away, told);
  /** @type {HTMLButtonElement[]} */
  let buttons = [];
  let shown = "";
  /** @type {import("./picture.js").Picture | null} */
  let last = null;
  /** The word that is dragged. @type {{ from: number, x: number, y: number, moved: boolean } | null} */
  let drag = null;

  /** @param {string} sign @param {string} name @param {(i: number) => void} act on the chosen word */
  function tool(sign, name, act) {
    const button = element("button", { type: "button", "aria-label": name }, sign);
    button.addEventListener("click", () => last && act(last.view.index), { signal });
    return button;
  }

  /** @param {string[]} tokens */
  function rebuild(tokens) {
    const focused = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    buttons = tokens.map((token, i) => {
      const button = element("button", { type: "button", class: "cb-token" }, wordNode(context, token));
      put(button, "aria-label", fill(words.source_word, { word: textOf(context, token), place: i + 1 }));
      button.addEventListener("click", () => drag?.moved || actions.choose("source", i), { signal });
      button.addEventListener("keydown", (event) => onKey(event, i), { signal });
      button.addEventListener("pointerenter", () => last && actions.mark(markOf(last.view.kind, "source", i)), { signal });
      button.addEventListener("pointerdown", (event) => seize(event, i), { signal });
      return button;
    });
    list.replaceChildren(...buttons.map((button) => element("li", {}, button)));
    if (focused >= 0) buttons[Math.min(focused, buttons.length - 1)].focus();
  }

  /** @param {KeyboardEvent} event @param {number} i */
  function onKey(event, i) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const count = buttons.length - 1; // the end stays where it is
    if (step && (event.altKey || event.shiftKey)) {
      if (i < count && i + step >= 0 && i + step < count) {
        actions.swap(i, i + step);
        buttons[i + step].focus();
      }
    } else if (step) buttons[Math.min(Math.max(i + step, 0), count)].focus();
    else if ((event.key === "Delete" || event.key === "Backspace") && i < count) actions.remove(i);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {PointerEvent} event @param {number} i */
  function seize(event, i) {
    if (!event.isPrimary || event.button !== 0 || i === buttons.length - 1) return;
    drag = { from: i, x: event.clientX, y: event.clientY, moved: false };
  }

  document.addEventListener(
    "pointermove",
    (event) => {
      if (!drag) return;
      if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < SLACK) return;
      drag.moved = true;
      list.classList.add("cb-dragging");
      const to = buttons.findIndex((button, i) => i < buttons.length - 1 && within(button, event));
      buttons.forEach((button, i) => {
        button.classList.toggle("cb-dragged", i === drag?.from);
        button.classList.toggle("cb-landing", i === to && to !== drag?.from);
      });
    },
    { signal },
  );
  for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
    document.addEventListener(
      name,
      (event) => {
        if (!drag) return;
        const { from, moved } = drag;
        const to = buttons.findIndex((button, i) => i < buttons.length - 1 && within(button, event));
        list.classList.remove("cb-dragging");
        for (const button of buttons) button.classList.remove("cb-dragged", "cb-landing");
        if (moved && name === "pointerup" && to >= 0 && to !== from) {
          // a finger takes no focus: left in the field, what was typed there would be read again
          buttons[to].focus({ preventScroll: true });
          actions.swap(from, to);
        }
        // the click that follows a drag is none
        setTimeout(() => (drag = null), 0);
      },
      { signal },
    );
  }
  // a finger that drags a word scrolls nothing; left to the browser, a quick drag would swallow the tap after it
  list.addEventListener("touchmove", (event) => drag?.moved && event.preventDefault(), { passive: false, signal });
  list.addEventListener("pointerleave", () => actions.mark(null), { signal });

  return {
    node: list,
    tools: row,
    /** @param {import("./picture.js").Picture} picture */
    update(picture) {
      last = picture;
      const { source } = picture.translation;
      const key = source.join(" ");
      if (key !== shown) rebuild(source);
      shown = key;
      const { side, index } = picture.view;
      const end = source.length - 1;
      row.hidden = side !== "source" || index >= end;
      putText(told, row.hidden ? "" : source[index]);
      put(tools.left, "aria-disabled", String(index === 0));
      put(tools.right, "aria-disabled", String(index >= end - 1));
      put(tools.away, "aria-disabled", String(end === 1));
      buttons.forEach((button, i) => {
        const chosen = picture.view.side === "source" && picture.view.index === i;
        put(button, "aria-pressed", String(chosen));
        button.classList.toggle("cb-marked", picture.marks.source.includes(i));
      });
    },
  };
}

/** @param {Element} node @param {{ clientX: number, clientY: number }} point */
function within(node, { clientX, clientY }) {
  const { left, right, top, bottom } = node.getBoundingClientRect();
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}
