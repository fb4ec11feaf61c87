/** What the site has of a figure: its saved traits from the notebook, and the models that it loads. */
import { readFileSync } from "node:fs";
import { unpack } from "../src/lib/weights.js";

const root = new URL("../../", import.meta.url);

/**
 * The bytes of a committed model as text.
 * @param {string} name
 */
export function packed(name) {
  const script = readFileSync(new URL(`contextbook/widgets/static/page/models/${name}.js`, root), "utf8");
  const found = /register\("[^"]*", "([^"]*)"\)/.exec(script);
  if (!found) throw new Error(`models/${name}.js holds no model`);
  return found[1];
}

/** @param {string} name */
export const weightsOf = (name) => unpack(new Uint8Array(Buffer.from(packed(name), "base64")));

/**
 * The traits of a figure as a chapter's notebook keeps them, but with the models in them.
 * @param {string} notebook
 * @param {string} figure
 * @returns {Record<string, any>}
 */
export function savedIn(notebook, figure) {
  const { metadata } = JSON.parse(readFileSync(new URL(`notebooks/en/${notebook}.ipynb`, root), "utf8"));
  const widgets = Object.values(metadata.widgets["application/vnd.jupyter.widget-state+json"].state);
  const found = /** @type {any} */ (widgets.find((widget) => /** @type {any} */ (widget).state.figure === figure));
  if (!found) throw new Error(`${notebook}.ipynb has no figure “${figure}”`);
  const models = Object.entries(found.state.models).map(([name, { sha256 }]) => [name, { sha256, data: packed(name) }]);
  return { ...found.state, models: Object.fromEntries(models) };
}

/** The words of a figure, of which Node would import no JSON as the build does. @param {string} section @returns {any} */
export const wordsOf = (section) => JSON.parse(readFileSync(new URL("contextbook/words/en.json", root), "utf8"))[section];
