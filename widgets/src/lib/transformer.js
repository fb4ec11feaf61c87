/**
 * The Transformer of chapter 11, run in the page: `contextbook.transformer` again, for one sentence, with
 * the same parts and names (Vaswani et al., 2017). Nothing is hidden: every attention gives back its
 * queries, keys, values, scores and weights, and every layer the vector that it hands on. And any part
 * can be switched off, to see what it was good for.
 *
 * It is decoded as every translator of the book is: `start`, then `step` after `step`. A state is never
 * changed, so that beams may share it.
 */
import { linear, logSoftmax, lookUp, softmax } from "./vectors.js";

/** @typedef {import("./vectors.js").Vector} Vector */
/**
 * What a reader can change in the trained model.
 * @typedef {object} Settings
 * @property {number} [temperature] of every attention's softmax, more than 0
 * @property {boolean} [scale] divide the scores by √d_head
 * @property {boolean} [positions] add them to the embeddings
 * @property {boolean} [residuals] y = x + r(x); without, y = r(x)
 * @property {ReadonlySet<string>} [off] layers, "encoder.0", and heads, "decoder.1.cross.3", that give nothing
 */
/**
 * What one token asked of others in one layer, and what it got.
 * @typedef {object} Asked
 * @property {Vector} query of all heads, one head's after another's
 * @property {Vector[]} keys one for each token that is asked, of all heads
 * @property {Vector[]} values
 * @property {Vector[]} scores by head, as the softmax gets them, but for the temperature
 * @property {Vector[]} weights by head
 * @property {Vector[]} mixtures by head: the values' mean with these weights
 */
/**
 * The way of one token: what each layer asked, and the vector before the first and after each part.
 * @typedef {object} Way
 * @property {{ self: Asked | null, cross: Asked | null }[]} layers `null` where a layer is off
 * @property {{ part: string, vector: Vector }[]} vectors
 */
/**
 * @typedef {object} DecoderState
 * @property {number} length tokens read
 * @property {Memory[]} cross by layer: keys and values of the source
 * @property {Memory[]} past by layer: keys and values of the tokens read, the cache
 * @property {Way[]} source the way of each source token
 */
/** @typedef {{ keys: Vector[], values: Vector[] }} Memory */

/**
 * @param {import("./weights.js").Weights} weights of a `Transformer`
 */
export function createTransformer({ config, tensors }) {
  const { d_model: width, heads, layers, norm_first: normFirst } = config;
  const size = width / heads;

  /** W x + b, of the layer by that name. @param {string} name @param {Vector} x */
  const apply = (name, x) => linear(tensors[`${name}.weight`], tensors[`${name}.bias`] ?? null, x);

  /** Layer norm: each vector to mean 0 and variance 1, then stretched and shifted as was learned. */
  function norm(/** @type {string} */ name, /** @type {Vector} */ x) {
    let mean = 0;
    for (let i = 0; i < width; i++) mean += x[i] / width;
    let variance = 0;
    for (let i = 0; i < width; i++) variance += (x[i] - mean) ** 2 / width;
    const deviation = Math.sqrt(variance + 1e-5);
    const gain = tensors[`${name}.weight`].data;
    const bias = tensors[`${name}.bias`].data;
    const result = new Float64Array(width);
    for (let i = 0; i < width; i++) result[i] = ((x[i] - mean) / deviation) * gain[i] + bias[i];
    return result;
  }

  /** A token's embedding, √d_model times, and where it stands. */
  function embed(/** @type {string} */ table, /** @type {number} */ id, /** @type {number} */ place, on = true) {
    const x = lookUp(tensors[`${table}.weight`], id).map((one) => one * Math.sqrt(width));
    return config.positions && on ? add(x, position(place, width)) : x;
  }

  /**
   * Multi-head attention of one token: each head compares its part of the query with its part of every
   * key, and mixes the values by how well they fit.
   * @param {string} name
   * @param {Vector} x
   * @param {Memory} memory
   * @param {Settings} settings
   * @param {string} place the layer's, for `settings.off`
   * @returns {{ output: Vector, asked: Asked }}
   */
  function attend(name, x, { keys, values }, { temperature = 1, scale = true, off }, place) {
    const query = apply(`${name}.query`, x);
    /** @type {Asked} */
    const asked = { query, keys, values, scores: [], weights: [], mixtures: [] };
    const heard = new Float64Array(width);
    const divisor = scale ? Math.sqrt(size) : 1;
    for (let head = 0; head < heads; head++) {
      const first = head * size;
      const scores = new Float64Array(keys.length);
      for (let j = 0; j < keys.length; j++) scores[j] = dotPart(query, keys[j], first, size) / divisor;
      const weights = softmax(scores, temperature);
      const mixed = mixturePart(weights, values, first, size);
      asked.scores.push(scores);
      asked.weights.push(weights);
      asked.mixtures.push(mixed);
      if (!off?.has(`${place}.${head}`)) heard.set(mixed, first); // a head that is off leaves zeros
    }
    return { output: apply(`${name}.output`, heard), asked };
  }

  /** What a token offers to those that ask. @param {string} name @param {Vector[]} xs @returns {Memory} */
  const remember = (name, xs) => ({
    keys: xs.map((x) => apply(`${name}.key`, x)),
    values: xs.map((x) => apply(`${name}.value`, x)),
  });

  /** Two linear maps with a ReLU between: the same for each token, which is on its own here. */
  const feedForward = (/** @type {string} */ name, /** @type {Vector} */ x) =>
    apply(
      `${name}.contract`,
      apply(`${name}.expand`, x).map((one) => Math.max(0, one)),
    );

  /** What a part is given of the vector so far. */
  const before = (/** @type {string} */ name, /** @type {Vector} */ x) =>
    normFirst ? norm(`${name}_residual.norm`, x) : x;

  /** The vector with a part's correction: x + r(x). */
  function corrected(
    /** @type {string} */ name,
    /** @type {Vector} */ x,
    /** @type {Vector} */ change,
    /** @type {Settings} */ { residuals = true },
  ) {
    const sum = residuals ? add(x, change) : change;
    return normFirst ? sum : norm(`${name}_residual.norm`, sum);
  }

  /** The norm at the end of a stack, where norms come first. */
  const last = (/** @type {string} */ stack, /** @type {Vector} */ x) =>
    normFirst ? norm(`${stack}.norm`, x) : x;

  /**
   * Read the source: every token asks every token.
   * @param {number[]} source ids, the stop token at the end
   * @param {Settings} settings
   * @returns {{ memory: Vector[], ways: Way[] }}
   */
  function encode(source, settings) {
    let xs = source.map((id, place) => embed("source_embedding", id, place, settings.positions));
    /** @type {Way[]} */
    const ways = xs.map((vector) => ({ layers: [], vectors: [{ part: "embedding", vector }] }));
    for (let layer = 0; layer < layers; layer++) {
      const place = `encoder.${layer}`;
      const stem = `encoder.layers.${layer}`;
      if (settings.off?.has(place)) {
        for (const way of ways) way.layers.push({ self: null, cross: null });
        continue;
      }
      const inputs = xs.map((x) => before(`${stem}.self`, x));
      const memory = remember(`${stem}.self_attention`, inputs);
      xs = xs.map((x, i) => {
        const { output, asked } = attend(`${stem}.self_attention`, inputs[i], memory, settings, `${place}.self`);
        const mixed = corrected(`${stem}.self`, x, output, settings);
        const change = feedForward(`${stem}.feed_forward`, before(`${stem}.feed_forward`, mixed));
        const result = corrected(`${stem}.feed_forward`, mixed, change, settings);
        ways[i].layers.push({ self: asked, cross: null });
        ways[i].vectors.push({ part: `${place}.self`, vector: mixed });
        ways[i].vectors.push({ part: `${place}.feed_forward`, vector: result });
        return result;
      });
    }
    return { memory: xs.map((x) => last("encoder", x)), ways };
  }

  /** Log-probabilities of the next token, as a vector on its way would foresee it. @param {Vector} x */
  const foresee = (x) => logSoftmax(apply("to_logits", last("decoder", x)));

  return {
    config,
    encode,
    foresee,
    /**
     * @param {number[]} source ids, the stop token at the end
     * @param {Settings} [settings]
     * @returns {DecoderState} the state before the first step
     */
    start(source, settings = {}) {
      const { memory, ways } = encode(source, settings);
      const each = Array.from({ length: layers }, (_, layer) => layer);
      return {
        length: 0,
        cross: each.map((layer) => remember(`decoder.layers.${layer}.cross_attention`, memory)),
        past: each.map(() => ({ keys: [], values: [] })),
        source: ways,
      };
    },
    /**
     * Write one token more. It asks the tokens before it, whose keys and values are kept, then the source.
     * @param {number} token the one before
     * @param {DecoderState} state
     * @param {Settings} [settings]
     * @returns {{ logProbs: Vector, state: DecoderState, weights: Way }} `weights`: the token's way
     */
    step(token, state, settings = {}) {
      let x = embed("target_embedding", token, state.length, settings.positions);
      /** @type {Way} */
      const way = { layers: [], vectors: [{ part: "embedding", vector: x }] };
      /** @type {Memory[]} */
      const past = [];
      for (let layer = 0; layer < layers; layer++) {
        const place = `decoder.${layer}`;
        const stem = `decoder.layers.${layer}`;
        if (settings.off?.has(place)) {
          past.push(state.past[layer]);
          way.layers.push({ self: null, cross: null });
          continue;
        }
        const input = before(`${stem}.self`, x);
        const own = remember(`${stem}.self_attention`, [input]);
        const known = {
          keys: [...state.past[layer].keys, ...own.keys],
          values: [...state.past[layer].values, ...own.values],
        };
        past.push(known);
        const self = attend(`${stem}.self_attention`, input, known, settings, `${place}.self`);
        x = corrected(`${stem}.self`, x, self.output, settings);
        way.vectors.push({ part: `${place}.self`, vector: x });

        const asking = before(`${stem}.cross`, x);
        const cross = attend(`${stem}.cross_attention`, asking, state.cross[layer], settings, `${place}.cross`);
        x = corrected(`${stem}.cross`, x, cross.output, settings);
        way.vectors.push({ part: `${place}.cross`, vector: x });

        const change = feedForward(`${stem}.feed_forward`, before(`${stem}.feed_forward`, x));
        x = corrected(`${stem}.feed_forward`, x, change, settings);
        way.vectors.push({ part: `${place}.feed_forward`, vector: x });
        way.layers.push({ self: self.asked, cross: cross.asked });
      }
      return { logProbs: foresee(x), state: { ...state, length: state.length + 1, past }, weights: way };
    },
  };
}

/**
 * One head's part of a dot product: no copies, since this is done for each pair of tokens.
 * @param {Vector} x
 * @param {Vector} y
 * @param {number} first number of the part
 * @param {number} size
 */
function dotPart(x, y, first, size) {
  let sum = 0;
  for (let i = first; i < first + size; i++) sum += x[i] * y[i];
  return sum;
}

/**
 * One head's part of the weighted mean.
 * @param {Vector} weights
 * @param {Vector[]} values
 * @param {number} first number of the part
 * @param {number} size
 */
function mixturePart(weights, values, first, size) {
  const result = new Float64Array(size);
  for (let j = 0; j < values.length; j++) {
    const weight = weights[j];
    const value = values[j];
    for (let i = 0; i < size; i++) result[i] += weight * value[first + i];
  }
  return result;
}

/** @param {Vector} x @param {Vector} y */
function add(x, y) {
  const sum = new Float64Array(x.length);
  for (let i = 0; i < x.length; i++) sum[i] = x[i] + y[i];
  return sum;
}

/** @type {Map<string, Vector>} */
const positions = new Map();

/**
 * Where a token stands, as sines and cosines from fast to slow (equation in section 3.5).
 * @param {number} place counted from 0
 * @param {number} width
 */
export function position(place, width) {
  const key = `${place} ${width}`;
  let found = positions.get(key);
  if (!found) {
    found = Float64Array.from({ length: width }, (_, i) => {
      const angle = place / 10000 ** ((i - (i % 2)) / width);
      return i % 2 ? Math.cos(angle) : Math.sin(angle);
    });
    positions.set(key, found);
  }
  return found;
}
