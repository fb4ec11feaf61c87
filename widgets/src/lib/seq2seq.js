/**
 * The encoder–decoders of chapters 7 and 8, run one token at a time: `contextbook.seq2seq` again, with
 * the same parts and names. A state is never changed, so that beams may share it.
 */
import { CELLS, firstState } from "./cells.js";
import { concat, dot, linear, logSoftmax, lookUp, mixture, softmax } from "./vectors.js";

/** @typedef {import("./vectors.js").Vector} Vector */
/** @typedef {import("./weights.js").Tensor} Tensor */
/** @typedef {import("./cells.js").State} CellState */
/**
 * @typedef {object} DecoderState
 * @property {CellState} cell s_i
 * @property {Vector[]} memory h_j, one for each source token
 * @property {Vector[]} prepared what the attention has made of the memory, once a sentence
 */
/** @typedef {{ temperature?: number }} Settings of the attention's softmax */

/**
 * @param {import("./weights.js").Weights} weights of an `EncoderDecoder`
 */
export function createTranslator({ config, tensors }) {
  const step = CELLS[config.cell];
  const decoderCell = cellOf(tensors, "decoder.cell.");
  const score = config.attention === "none" ? null : scores[config.attention](tensors);

  /**
   * Read a sentence, both ways where the encoder does: a state for each token, and the last.
   * @param {number[]} source ids, the stop token at the end
   */
  function encode(source) {
    const inputs = source.map((id) => lookUp(tensors["encoder.embedding.weight"], id));
    const size = config.bidirectional ? config.hidden / 2 : config.hidden;
    if (!config.bidirectional) {
      const states = run(step, cellOf(tensors, "encoder.reader.cell."), inputs, size);
      return { memory: states.map((state) => state.hidden), last: states[states.length - 1] };
    }
    const ahead = run(step, cellOf(tensors, "encoder.reader.ahead.cell."), inputs, size);
    const back = run(step, cellOf(tensors, "encoder.reader.back.cell."), inputs.reverse(), size);
    const last = joined(ahead[ahead.length - 1], back[back.length - 1]);
    back.reverse();
    return { memory: ahead.map((state, j) => joined(state, back[j]).hidden), last };
  }

  return {
    config,
    encode,
    /** @param {number[]} source @returns {DecoderState} the state before the first step */
    start(source) {
      const { memory, last } = encode(source);
      return { cell: last, memory, prepared: score ? score.prepare(memory) : [] };
    },
    /**
     * Write one token more.
     * @param {number} token the one before
     * @param {DecoderState} state
     * @param {Settings} [settings]
     */
    step(token, state, { temperature = 1 } = {}) {
      const embedded = lookUp(tensors["decoder.embedding.weight"], token);
      /** @param {Vector} asking */
      const look = (asking) => {
        const weights = softmax(
          /** @type {NonNullable<typeof score>} */ (score).of(asking, state.prepared),
          temperature,
        );
        return { weights, context: mixture(weights, state.memory) };
      };
      let found = null;
      let cell;
      let features;
      if (!score) {
        cell = step(decoderCell, embedded, state.cell);
        features = cell.hidden;
      } else if (config.feeds_context) {
        // Bahdanau: look first, with the state before, then step
        found = look(state.cell.hidden);
        cell = step(decoderCell, concat(embedded, found.context), state.cell);
        features = concat(cell.hidden, found.context, embedded);
      } else {
        // Luong: step first, then look
        cell = step(decoderCell, embedded, state.cell);
        found = look(cell.hidden);
        features = concat(found.context, cell.hidden);
      }
      const inner = linear(
        tensors["decoder.to_logits.0.weight"],
        tensors["decoder.to_logits.0.bias"],
        features,
      ).map(Math.tanh);
      const logits = linear(
        tensors["decoder.to_logits.2.weight"],
        tensors["decoder.to_logits.2.bias"],
        inner,
      );
      return {
        logProbs: logSoftmax(logits),
        state: { ...state, cell },
        weights: found && found.weights,
      };
    },
  };
}

/** @param {Record<string, Tensor>} tensors @param {string} stem */
function cellOf(tensors, stem) {
  const { weight_ih, weight_hh, bias_ih, bias_hh } = Object.fromEntries(
    ["weight_ih", "weight_hh", "bias_ih", "bias_hh"].map((name) => [name, tensors[stem + name]]),
  );
  return { weight_ih, weight_hh, bias_ih, bias_hh };
}

/**
 * @param {import("./cells.js").Step} step
 * @param {import("./cells.js").CellWeights} weights
 * @param {Vector[]} inputs
 * @param {number} size
 */
function run(step, weights, inputs, size) {
  /** @type {CellState[]} */
  const states = [];
  let state = firstState(size);
  for (const input of inputs) states.push((state = step(weights, input, state)));
  return states;
}

/** @param {CellState} ahead @param {CellState} back @returns {CellState} */
function joined(ahead, back) {
  return {
    hidden: concat(ahead.hidden, back.hidden),
    cell: ahead.cell && back.cell && concat(ahead.cell, back.cell),
  };
}

/**
 * How a state is scored against each h_j. `prepare` does once a sentence what does not depend on it.
 * @type {Record<string, (tensors: Record<string, Tensor>) => {
 *   prepare: (memory: Vector[]) => Vector[],
 *   of: (asking: Vector, prepared: Vector[]) => number[],
 * }>}
 */
const scores = {
  /** e_ij = s_i · h_j */
  dot: () => ({
    prepare: (memory) => memory,
    of: (asking, prepared) => prepared.map((key) => dot(asking, key)),
  }),
  /** e_ij = s_i · W h_j */
  general: (tensors) => ({
    prepare: (memory) =>
      memory.map((h) => linear(tensors["decoder.attention.from_memory.weight"], null, h)),
    of: (asking, prepared) => prepared.map((key) => dot(asking, key)),
  }),
  /** e_ij = v · tanh(W s_{i-1} + b + U h_j) */
  additive: (tensors) => ({
    prepare: (memory) =>
      memory.map((h) => linear(tensors["decoder.attention.from_memory.weight"], null, h)),
    of(asking, prepared) {
      const [weight, bias] = ["weight", "bias"].map(
        (name) => tensors[`decoder.attention.from_state.${name}`],
      );
      const asked = linear(weight, bias, asking);
      const v = tensors["decoder.attention.to_score.weight"].data;
      return prepared.map((key) => dot(v, key.map((x, i) => Math.tanh(x + asked[i]))));
    },
  }),
  /** e_ij = v · tanh(W [s_i; h_j]) */
  concat: (tensors) => ({
    prepare: (memory) => memory,
    of(asking, prepared) {
      const v = tensors["decoder.attention.to_score.weight"].data;
      return prepared.map((key) => {
        const both = concat(asking, key);
        const inner = linear(tensors["decoder.attention.from_both.weight"], null, both);
        return dot(v, inner.map(Math.tanh));
      });
    },
  }),
};
