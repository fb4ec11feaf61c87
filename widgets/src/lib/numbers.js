/** Numbers as a reader sees and types them. */

/**
 * @param {number} x
 * @param {number} [digits] after the point
 */
export function format(x, digits = 2) {
  const text = x.toFixed(digits);
  // no "-0.00", and a minus sign as wide as a plus
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

/**
 * As few digits as show the number: for what a reader typed.
 * @param {number} x
 */
export function short(x) {
  return String(Number(x.toPrecision(6))).replace("-", "−");
}

/**
 * What a reader typed, as a number. Full-width digits, as a Japanese keyboard gives them, and the
 * true minus sign count.
 * @param {string} text
 * @param {number} limit largest magnitude
 * @returns {number | null} `null` when it is no number, or too large
 */
export function parse(text, limit) {
  const plain = text.normalize("NFKC").trim().replace("−", "-");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return null;
  const x = Number(plain);
  return Math.abs(x) <= limit ? x : null;
}

/**
 * @param {number} x
 * @param {number} lowest
 * @param {number} highest
 */
export function clamp(x, lowest, highest) {
  return Math.min(highest, Math.max(lowest, x));
}

/** @param {number} x @param {number} step */
export function roundTo(x, step) {
  // through the number of digits, or 3 * 0.1 shows as 0.30000000000000004
  const digits = Math.max(0, Math.ceil(-Math.log10(step)));
  return Number((Math.round(x / step) * step).toFixed(digits));
}
