/**
 * Arithmetic on matrices of doubles, written to be read beside the book's Python.
 * Axes and names are the book's: `(queries, features)`, masks with `true` = may attend.
 */

/**
 * A matrix, row after row.
 * @typedef {{ rows: number, cols: number, data: Float64Array }} Matrix
 */

/**
 * @param {number} rows
 * @param {number} cols
 * @returns {Matrix} filled with zeros
 */
export function zeros(rows, cols) {
  return { rows, cols, data: new Float64Array(rows * cols) };
}

/**
 * @param {ArrayLike<number>[]} rows equally long
 * @returns {Matrix}
 */
export function matrix(rows) {
  const cols = rows.length ? rows[0].length : 0;
  const result = zeros(rows.length, cols);
  rows.forEach((row, i) => {
    if (row.length !== cols) {
      throw new RangeError(`row ${i} has ${row.length} numbers and row 0 has ${cols}`);
    }
    result.data.set(row, i * cols);
  });
  return result;
}

/**
 * @param {Matrix} a
 * @param {number} i
 * @returns {Float64Array} row `i`: a view, not a copy
 */
export function row(a, i) {
  return a.data.subarray(i * a.cols, (i + 1) * a.cols);
}

/**
 * @param {Matrix} a
 * @returns {number[][]}
 */
export function toRows(a) {
  return Array.from({ length: a.rows }, (_, i) => Array.from(row(a, i)));
}

/**
 * @param {Matrix} a `(rows, cols)`
 * @returns {Matrix} `(cols, rows)`
 */
export function transpose(a) {
  const result = zeros(a.cols, a.rows);
  for (let i = 0; i < a.rows; i++) {
    for (let j = 0; j < a.cols; j++) result.data[j * a.rows + i] = a.data[i * a.cols + j];
  }
  return result;
}

/**
 * @param {Matrix} a `(n, inner)`
 * @param {Matrix} b `(inner, m)`
 * @returns {Matrix} `(n, m)`
 */
export function matmul(a, b) {
  if (a.cols !== b.rows) {
    throw new RangeError(`matmul of (${a.rows}, ${a.cols}) and (${b.rows}, ${b.cols})`);
  }
  const result = zeros(a.rows, b.cols);
  for (let i = 0; i < a.rows; i++) {
    for (let k = 0; k < a.cols; k++) {
      const factor = a.data[i * a.cols + k];
      for (let j = 0; j < b.cols; j++) {
        result.data[i * b.cols + j] += factor * b.data[k * b.cols + j];
      }
    }
  }
  return result;
}

/**
 * @param {Matrix} a
 * @param {number} factor
 * @returns {Matrix}
 */
export function scaled(a, factor) {
  return { ...a, data: a.data.map((x) => x * factor) };
}
