/** What every figure stands in. */

import { addStyles, element } from "./dom.js";
import theme from "./theme.css";

/**
 * Put a figure into its place: a named group, with the letters and colours of all figures.
 * @param {HTMLElement} el the place
 * @param {string} name what a screen reader calls the figure
 * @param {...HTMLElement} content
 * @returns {HTMLElement} the group
 */
export function putFigure(el, name, ...content) {
  const about = { class: "cb-figure", role: "group", "aria-label": name };
  const figure = element("div", about, ...content);
  // JupyterLab would take arrow keys and letters for its own commands
  figure.dataset.lmSuppressShortcuts = "true";
  el.replaceChildren(figure);
  addStyles(el, "theme", theme);
  return figure;
}
