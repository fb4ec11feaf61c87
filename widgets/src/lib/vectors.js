/** Arithmetic on single vectors, for models that run one token at a time. */

/** @typedef {import("./weights.js").Tensor} Tensor */
/** @typedef {Float64Array} Vector */

/**
 * W x + b, as `nn.Linear`.
 * @param {Tensor} weight `(out, in)`
 * @param {Tensor | null} bias `(out,)`
 * @param {Vector} x `(in,)`
 * @returns {Vector} `(out,)`
 */
export function linear(weight, bias, x) {
  const [rows, cols] = weight.shape;
  if (x.length !== cols) throw new RangeError(`a (${rows}, ${cols}) matrix times ${x.length} numbers`);
  const result = new Float64Array(rows);
  const { data } = weight;
  let i = 0;
  // four rows at once: their sums do not wait for each other, which halves the time
  for (; i + 4 <= rows; i += 4) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    const one = i * cols;
    const two = one + cols;
    const three = two + cols;
    const four = three + cols;
    for (let j = 0; j < cols; j++) {
      const input = x[j];
      a += data[one + j] * input;
      b += data[two + j] * input;
      c += data[three + j] * input;
      d += data[four + j] * input;
    }
    result[i] = a;
    result[i + 1] = b;
    result[i + 2] = c;
    result[i + 3] = d;
  }
  for (; i < rows; i++) {
    for (let j = 0; j < cols; j++) result[i] += data[i * cols + j] * x[j];
  }
  if (bias) for (let row = 0; row < rows; row++) result[row] += bias.data[row];
  return result;
}

/**
 * A row of a table, as `nn.Embedding`.
 * @param {Tensor} table `(tokens, features)`
 * @param {number} id
 * @returns {Vector}
 */
export function lookUp(table, id) {
  const [rows, cols] = table.shape;
  if (!(id >= 0 && id < rows)) throw new RangeError(`there is no token ${id} among ${rows}`);
  return new Float64Array(table.data.subarray(id * cols, (id + 1) * cols));
}

/** @param {...Vector} parts @returns {Vector} one behind the other */
export function concat(...parts) {
  const result = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    result.set(part, place);
    place += part.length;
  }
  return result;
}

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/**
 * The mean of vectors with weights that sum to 1.
 * @param {ArrayLike<number>} weights
 * @param {Vector[]} vectors
 * @returns {Vector}
 */
export function mixture(weights, vectors) {
  const result = new Float64Array(vectors[0].length);
  vectors.forEach((vector, j) => {
    for (let i = 0; i < result.length; i++) result[i] += weights[j] * vector[i];
  });
  return result;
}

/**
 * @param {ArrayLike<number>} scores
 * @param {number} [temperature] more than 0
 * @returns {Vector}
 */
export function softmax(scores, temperature = 1) {
  const result = new Float64Array(scores.length);
  let largest = -Infinity;
  for (let i = 0; i < result.length; i++) {
    result[i] = scores[i] / temperature;
    if (result[i] > largest) largest = result[i];
  }
  let sum = 0;
  for (let i = 0; i < result.length; i++) sum += result[i] = Math.exp(result[i] - largest);
  for (let i = 0; i < result.length; i++) result[i] /= sum;
  return result;
}

/** @param {Vector} logits @returns {Vector} log-probabilities */
export function logSoftmax(logits) {
  const largest = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - largest);
  const shift = largest + Math.log(sum);
  return logits.map((logit) => logit - shift);
}

/** @param {number} x */
export const sigmoid = (x) => 1 / (1 + Math.exp(-x));

/** @param {ArrayLike<number>} values @returns {number} where the largest stands, the first of equals */
export function argmax(values) {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[best]) best = i;
  return best;
}
