/** The translation, word by word: each with its probability, and what else could have been written. */
import { element, put, putText } from "../../lib/dom.js";
import { fill } from "../../lib/words.js";
import { meaningOf, named, notesOf, share, textOf, wordNode } from "./label.js";
import { markOf } from "./marking.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./picture.js").Picture} Picture */

/** @param {Context} context */
export function createTarget(context) {
  const { words, engine, actions, signal } = context;
  const list = element("ol", { class: "cb-tokens cb-written", "aria-label": words.target });
  const rest = element("li", { class: "cb-rest cb-note" });
  const title = element("p", { class: "cb-asked" });
  const options = element("div", { class: "cb-alternatives", role: "group" });
  /** @type {Picture | null} */
  let last = null;

  const items = /** @type {{ node: HTMLElement, button: HTMLButtonElement, part: Record<string, HTMLElement>, token: number }[]} */ ([]);

  function item() {
    const i = items.length;
    const part = {
      word: element("span", { class: "cb-slot" }),
      notes: element("span", { class: "cb-notes" }),
      bar: element("span", { class: "cb-bar", "aria-hidden": "true" }),
      chance: element("span", { class: "cb-chance" }),
    };
    const button = element("button", { type: "button", class: "cb-token" }, part.word, part.notes, part.bar, part.chance);
    button.addEventListener("click", () => actions.choose("target", i), { signal });
    button.addEventListener("pointerenter", () => last && actions.mark(markOf(last.view.kind, "target", i)), { signal });
    button.addEventListener(
      "keydown",
      (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        const next = items[i + step]?.button;
        if (next?.isConnected) next.focus();
      },
      { signal },
    );
    return { node: element("li", {}, button), button, part, token: -1 };
  }
  list.addEventListener("pointerleave", () => actions.mark(null), { signal });

  /** @param {Picture} picture */
  function drawWords({ steps, view, marks, kept, was, more }) {
    while (items.length < steps.length) items.push(item());
    steps.forEach((step, i) => {
      const { button, part } = items[i];
      const token = engine.textOf(step.token);
      if (items[i].token !== step.token) {
        items[i].token = step.token;
        part.word.replaceChildren(wordNode(context, token));
        putText(part.notes, notesOf(context, token));
      }
      part.bar.style.setProperty("--share", step.probability.toFixed(3));
      const before = was[i];
      const moved = before !== null && Math.abs(before - step.probability) >= 0.005;
      putText(part.chance, moved ? fill(words.chance_was, { now: share(step.probability), was: share(before) }) : share(step.probability));
      put(button, "aria-pressed", String(view.side === "target" && view.index === i));
      button.classList.toggle("cb-marked", marks.target.includes(i));
      button.classList.toggle("cb-forced", step.forced);
      button.classList.toggle("cb-other", !kept[i]);
    });
    putText(rest, more ? fill(words.and_more, { count: more }) : "");
    if (list.childElementCount !== steps.length + Number(more > 0) || rest.isConnected !== more > 0) {
      list.replaceChildren(...items.slice(0, steps.length).map(({ node }) => node), ...(more ? [rest] : []));
    }
  }

  /** What could stand at the chosen place. @param {Picture} picture */
  function drawOptions({ steps, state, place }) {
    const step = steps[place];
    if (!step) return;
    const all = engine.alternatives(step);
    if (!all.some(({ token }) => token === step.token)) all.push({ token: step.token, probability: step.probability });
    const before = place ? engine.textOf(steps[place - 1].token) : engine.start;
    putText(title, fill(words.alternatives, { place: place + 1, before: textOf(context, before) }));
    while (options.childElementCount < all.length + 1) options.append(option(options.childElementCount));
    [...options.children].forEach((node, i) => {
      const button = /** @type {HTMLButtonElement} */ (node);
      const free = i === all.length;
      button.hidden = i > all.length || (free && !(place in state.forced));
      if (button.hidden) return;
      if (free) {
        button.dataset.token = button.title = "";
        button.style.setProperty("--share", "0");
        put(button, "aria-pressed", "false");
        button.replaceChildren(words.release);
        return;
      }
      const { token, probability } = all[i];
      if (button.dataset.token !== String(token)) {
        button.dataset.token = String(token);
        const notes = element("span", { class: "cb-notes" }, meaningOf(context, engine.textOf(token)));
        put(button, "title", notesOf(context, engine.textOf(token)));
        button.replaceChildren(wordNode(context, engine.textOf(token)), notes, element("span", { class: "cb-chance" }));
      }
      putText(/** @type {HTMLElement} */ (button.lastElementChild), share(probability));
      put(button, "aria-label", fill(words.write, { word: named(context, engine.textOf(token)), share: share(probability) }));
      button.style.setProperty("--share", probability.toFixed(3));
      put(button, "aria-pressed", String(token === step.token));
    });
  }

  /** @param {number} i */
  function option(i) {
    const button = element("button", { type: "button", class: "cb-alternative" });
    button.addEventListener(
      "click",
      () => {
        if (!last) return;
        const token = button.dataset.token;
        actions.force(last.place, token ? engine.textOf(Number(token)) : null);
      },
      { signal },
    );
    button.dataset.option = String(i);
    return button;
  }

  return {
    list,
    alternatives: element("div", { class: "cb-options-of" }, title, options),
    /** @param {Picture} picture */
    update(picture) {
      last = picture;
      drawWords(picture);
      drawOptions(picture);
    },
  };
}
