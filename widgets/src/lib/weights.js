/**
 * Trained models in a page: the block of bytes that Python's `pack` makes, read again.
 *
 * Four bytes say how long the header is; the header is JSON; then come the tensors' numbers in half
 * precision, two bytes each.
 */

/** @typedef {{ shape: number[], data: Float32Array }} Tensor */
/**
 * @typedef {object} Weights
 * @property {Record<string, any>} config the model's shape, as its figure needs it
 * @property {string[]} source tokens of the source vocabulary by their ids
 * @property {string[]} target tokens of the target vocabulary by their ids
 * @property {Record<string, Tensor>} tensors by their names in PyTorch's `state_dict`
 */

/**
 * @param {Uint8Array} bytes
 * @returns {Weights}
 */
export function unpack(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = 4 + view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, start)));
  /** @type {Record<string, Tensor>} */
  const tensors = {};
  let place = start;
  for (const [name, shape] of header.tensors) {
    const data = new Float32Array(shape.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b, 1));
    for (let i = 0; i < data.length; i++, place += 2) data[i] = fromHalf(view.getUint16(place, true));
    tensors[name] = { shape, data };
  }
  return { config: header.config, source: header.source, target: header.target, tensors };
}

/**
 * The number that 16 bits stand for: a sign, five bits of exponent, ten of fraction (IEEE 754).
 * @param {number} bits
 */
export function fromHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  if (exponent === 0) return sign * fraction * POWERS[1];
  return sign * (1024 + fraction) * POWERS[exponent];
}

/** 2 to the power of an exponent − 25, by exponent: a model has some 300,000 numbers to be read. */
const POWERS = Float64Array.from({ length: 31 }, (_, exponent) => 2 ** (exponent - 25));

/**
 * Bytes from their text. A loop: `Uint8Array.from` with a function takes ten times as long.
 * @param {string} base64
 */
export function fromBase64(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/**
 * The bytes of a trained model: from the trait where a kernel sent them along, else from the file
 * that the page's loader fetches.
 * @param {import("./traits.js").Model} model
 * @param {string} name
 * @returns {Promise<Weights>}
 */
export async function loadWeights(model, name) {
  const entry = model.get("models")[name];
  if (!entry) throw new Error(`this figure has no model “${name}”`);
  const key = entry.sha256;
  const known = loaded.get(key);
  if (known) return known;
  const bytes = entry.data
    ? fromBase64(entry.data)
    : await /** @type {any} */ (window).contextbook.whenModel(name);
  const weights = unpack(bytes);
  loaded.set(key, weights); // two figures of a page share them
  return weights;
}

/** @type {Map<string, Weights>} */
const loaded = new Map();

/**
 * Wait until an element comes near the window, so that a page loads no model that nobody looks at.
 * @param {Element} node
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
export function whenNear(node, signal) {
  return new Promise((resolve) => {
    if (typeof IntersectionObserver === "undefined") return resolve();
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        resolve();
      },
      { rootMargin: "400px" },
    );
    observer.observe(node);
    signal.addEventListener("abort", () => observer.disconnect());
  });
}

/**
 * The place that a page keeps for a figure, else the figure itself. Before it has its weights a figure
 * is small: a reader who comes into the middle of its place shall not wait there before nothing.
 * @param {Element} figure
 */
export const placeOf = (figure) => figure.closest(".figure-mount") ?? figure;
