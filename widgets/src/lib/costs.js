/** What a layer costs, counted as Python's `contextbook.costs` does. */

/** @typedef {"rnn" | "lstm" | "convolution" | "attention"} Kind */
/** @typedef {"operations" | "steps" | "path" | "memory"} Measure */

/**
 * @typedef {object} Sizes
 * @property {number} length tokens
 * @property {number} width numbers in each vector
 * @property {number} heads of attention
 * @property {number} layers on top of each other
 * @property {boolean} projections count attention's products with W^Q, W^K, W^V and W^O
 * @property {boolean} fused attention keeps no weights for the pass back
 * @property {boolean} dilated each layer of convolution mixes tokens twice as far apart
 */

/**
 * What grows with the length in one layer: `linear * T + quadratic * T ** 2`.
 * @typedef {object} PerLayer
 * @property {number} linear
 * @property {number} quadratic
 */

/** @type {Kind[]} */
export const KINDS = ["rnn", "lstm", "convolution", "attention"];
/** @type {Measure[]} */
export const MEASURES = ["operations", "steps", "path", "memory"];
/** Tokens that an output of the counted convolution sees, itself included. */
export const KERNEL = 3;

/**
 * Multiplications of one layer of each kind.
 * @param {Pick<Sizes, "width" | "projections">} sizes
 * @returns {Record<Kind, PerLayer>}
 */
export function operations({ width, projections }) {
  const square = width ** 2;
  return {
    rnn: { linear: 2 * square, quadratic: 0 },
    lstm: { linear: 8 * square, quadratic: 0 },
    convolution: { linear: KERNEL * square, quadratic: 0 },
    attention: { linear: projections ? 4 * square : 0, quadratic: 2 * width },
  };
}

/**
 * Numbers that one layer of each kind keeps for the pass back.
 * @param {Pick<Sizes, "width" | "heads" | "fused">} sizes
 * @returns {Record<Kind, PerLayer>}
 */
export function keptNumbers({ width, heads, fused }) {
  return {
    rnn: { linear: 2 * width, quadratic: 0 },
    lstm: { linear: 8 * width, quadratic: 0 },
    convolution: { linear: KERNEL * width, quadratic: 0 },
    attention: fused
      ? { linear: 5 * width + heads, quadratic: 0 }
      : { linear: 5 * width, quadratic: heads },
  };
}

/** Layers of convolution to reach so far back. @param {number} distance @param {boolean} dilated */
export function convolutionLayers(distance, dilated) {
  const hops = distance / (KERNEL - 1);
  return Math.ceil(dilated ? Math.log2(hops + 1) : hops);
}

/** Tokens back that so many layers reach. @param {number} layers @param {boolean} dilated */
export function convolutionReach(layers, dilated) {
  return (KERNEL - 1) * (dilated ? 2 ** layers - 1 : layers);
}

/**
 * What one measure says of all kinds. Memory is in numbers.
 * @param {Measure} measure
 * @param {Sizes} sizes
 * @returns {Record<Kind, number>}
 */
export function count(measure, sizes) {
  const { length, layers, dilated } = sizes;
  if (measure === "steps") {
    const recurrent = length + layers - 1;
    return { rnn: recurrent, lstm: recurrent, convolution: layers, attention: layers };
  }
  const last = length - 1;
  if (measure === "path") {
    const convolution = convolutionLayers(last, dilated);
    return { rnn: last, lstm: last, convolution, attention: Math.min(1, last) };
  }
  const perLayer = measure === "memory" ? keptNumbers(sizes) : operations(sizes);
  const at = (/** @type {PerLayer} */ { linear, quadratic }) =>
    layers * (linear * length + quadratic * length ** 2);
  const { rnn, lstm, convolution, attention } = perLayer;
  return { rnn: at(rnn), lstm: at(lstm), convolution: at(convolution), attention: at(attention) };
}

/**
 * Length above which attention costs more: 0 at every length, infinity at none.
 * @param {PerLayer} attention
 * @param {PerLayer} other
 */
export function dearerAbove(attention, other) {
  const headStart = other.linear - attention.linear;
  if (headStart <= 0) return 0;
  return attention.quadratic ? headStart / attention.quadratic : Infinity;
}
