/** A page as the site makes it, in jsdom, with the built scripts. */
import { once } from "node:events";
import { fileURLToPath, pathToFileURL } from "node:url";
import { join } from "node:path";
import { JSDOM, VirtualConsole } from "jsdom";

export const folder =
  process.env.WIDGETS_STATIC ?? fileURLToPath(new URL("../../contextbook/widgets/static", import.meta.url));

export const example = {
  keys: [[2, 0], [0, 2], [-2, 0]],
  values: [10, 20, 30],
  names: ["east", "north", "west"],
  mask: [true, true, true],
  query: [1, 0.5],
  temperature: 1,
  scale: Math.SQRT1_2,
};

/** What a notebook keeps of a `SoftDictionary`. @param {object} [changes] */
export function saved(changes = {}) {
  const { keys, ...rest } = example;
  const state = { figure: "soft-dictionary", axes: [["", "x"], ["", "y"]], unit: "points", example };
  return { ...state, key_vectors: keys, ...rest, ...changes };
}

/**
 * @param {Record<string, object>} widgets saved traits by model id
 * @param {{ views?: string[], lang?: string, mounts?: boolean, hash?: string, still?: boolean }} [options]
 *   `still`: whoever reads wants no motion
 */
export async function openPage(widgets, { views = Object.keys(widgets), lang = "en", mounts, hash = "", still = false } = {}) {
  const state = Object.fromEntries(Object.entries(widgets).map(([id, traits]) => [id, { state: traits }]));
  const json = (/** @type {object} */ data) => JSON.stringify(data).replaceAll("</script>", "<\\/script>");
  const tags = views.map((id) => {
    const view = `<script type="application/vnd.jupyter.widget-view+json">${json({ model_id: id })}</script>`;
    return mounts ? `<div class="figure-mount">${view}</div>` : view;
  });
  const html = `<!doctype html><html lang="${lang}"><body>${tags.join("\n")}
    <script type="application/vnd.jupyter.widget-state+json">${json({ state })}</script>
    <script defer src="mount.js"></script></body></html>`;
  /** @type {string[]} */
  const errors = [];
  const virtualConsole = new VirtualConsole();
  virtualConsole.on("jsdomError", (error) => errors.push(String(error)));
  virtualConsole.on("error", (error) => errors.push(String(error)));
  const dom = new JSDOM(html, {
    url: pathToFileURL(join(folder, "page", "index.html")).href + hash,
    runScripts: "dangerously",
    resources: "usable",
    pretendToBeVisual: true,
    virtualConsole,
    beforeParse(window) {
      // what every browser has and jsdom lacks
      window.ResizeObserver = class {
        observe() {}
        unobserve() {}
        disconnect() {}
      };
      Object.assign(window, { structuredClone, TextEncoder, TextDecoder });
      window.HTMLCanvasElement.prototype.getContext = () => null;
      const matches = (/** @type {string} */ query) => still && query.includes("reduced-motion");
      const media = (/** @type {string} */ query) => Object.assign(new window.EventTarget(), { matches: matches(query) });
      Object.assign(window, { matchMedia: media });
    },
  });
  await once(dom.window, "load");
  const { document } = dom.window;
  while (!document.documentElement.dataset.figures) await new Promise((wake) => setTimeout(wake, 5));
  return { window: dom.window, document, errors, shown: document.documentElement.dataset.figures };
}
