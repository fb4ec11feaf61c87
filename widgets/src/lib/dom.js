/** Elements without innerHTML: what a reader types can only ever become text. */

/**
 * @typedef {Record<string, string | number | boolean | undefined>} Attributes
 *   `true` sets an empty attribute; `false` and `undefined` set none.
 */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} children strings become text nodes
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  setAttributes(node, attributes);
  node.append(...children);
  return node;
}

/**
 * @param {Element} node
 * @param {Attributes} attributes
 */
export function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === undefined) node.removeAttribute(name);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Set an attribute only where it changes, so that a redraw touches what it must.
 * @param {Element} node
 * @param {string} name
 * @param {string | number} value
 */
export function put(node, name, value) {
  const text = String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/**
 * @param {Node} node
 * @param {string} text
 */
export function putText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Set what an input shows, but never under the hands of the reader who is typing there.
 * @param {HTMLInputElement} input
 * @param {string} text
 */
export function putValue(input, text) {
  const root = /** @type {Document | ShadowRoot} */ (input.getRootNode());
  if (root.activeElement !== input && input.value !== text) input.value = text;
}

let counter = 0;

/** An id that no other figure on the page has. @param {string} stem */
export function uniqueId(stem) {
  counter += 1;
  return `cb-${stem}-${counter}`;
}

/**
 * Put a style sheet into the document (or shadow root) of a node, once.
 * @param {Node} node
 * @param {string} name
 * @param {string} css
 */
export function addStyles(node, name, css) {
  const root = node.getRootNode();
  const home = root instanceof ShadowRoot ? root : document.head;
  if (home.querySelector(`style[data-contextbook="${name}"]`)) return;
  const style = element("style", { "data-contextbook": name });
  style.textContent = css;
  home.append(style);
}
