/**
 * The loader of the book's pages: mounts each figure from the widget state that the notebook
 * saved, with no kernel, no network and no CDN, over http and from a file.
 */
import { byLanguage, fill } from "../lib/words.js";
import { common as en } from "../../../contextbook/words/en.json";
import { createModel } from "./model.js";
import { createRegistry, loadScript } from "./registry.js";

/** @typedef {{ figure?: unknown }} Saved what a notebook keeps of a widget: its traits */

const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';

const folder = new URL(".", /** @type {HTMLScriptElement} */ (document.currentScript).src);
const registry = createRegistry((path) => loadScript(new URL(path, folder).href));
Object.assign(window, { contextbook: registry });

async function mountAll() {
  /** @type {Record<string, { state: Saved }>} */
  const saved = {};
  for (const script of document.querySelectorAll(STATE)) {
    Object.assign(saved, JSON.parse(script.textContent ?? "{}").state);
  }
  /** @type {Map<string, import("../lib/traits.js").Model>} */
  const models = new Map();
  const views = [...document.querySelectorAll(VIEW)].map((script) => {
    const id = JSON.parse(script.textContent ?? "{}").model_id;
    const state = saved[id]?.state ?? {};
    // two views of one widget share its model, so that they stay in step
    const model = models.get(id) ?? createModel({ ...state });
    models.set(id, model);
    return mount(script, state, model);
  });
  const shown = await Promise.all(views);
  document.documentElement.dataset.figures = shown.every(Boolean) ? "ready" : "failed";
}

/**
 * @param {Element} script the view that the figure takes the place of
 * @param {Saved} state
 * @param {import("../lib/traits.js").Model} model
 * @returns {Promise<boolean>} whether it is there now
 */
async function mount(script, state, model) {
  const words = byLanguage({ en });
  const el = document.createElement("div");
  // the page may keep a place of the right height, so that nothing moves when the figure comes
  const place = script.closest(".figure-mount");
  if (place) place.append(el);
  else script.after(el);
  if (typeof state.figure !== "string") {
    el.textContent = words.needs_notebook;
    return true;
  }
  try {
    const figure = await registry.whenFigure(state.figure);
    await figure.render({ model, el });
    return true;
  } catch (error) {
    console.error(error);
    const message = error instanceof Error ? error.message : String(error);
    el.textContent = fill(words.figure_failed, { figure: state.figure, message });
    return false;
  }
}

if (document.readyState === "loading") {
  document.addEventListener("DOMContentLoaded", mountAll);
} else {
  mountAll();
}
