/** Sinusoidal positions: Vaswani et al. (2017), section 3.5, with the base in the reader's hand. */

/**
 * How far each pair of features turns from a place to the next, in radians.
 * @param {number} width number of features, even
 * @param {number} base
 */
export function speeds(width, base) {
  return Array.from({ length: width / 2 }, (_, i) => base ** ((-2 * i) / width));
}

/**
 * The row of a place: sine and cosine of each pair in turn.
 * @param {number} place @param {number[]} speeds
 */
export function rowOf(place, speeds) {
  return speeds.flatMap((speed) => [Math.sin(place * speed), Math.cos(place * speed)]);
}

/** @param {number[]} one @param {number[]} other */
export function dot(one, other) {
  return one.reduce((sum, x, i) => sum + x * other[i], 0);
}

/**
 * A row with each pair of features turned by its angle.
 * @param {number[]} row @param {number[]} turns
 */
export function turned(row, turns) {
  return turns.flatMap((turn, i) => {
    const [sine, cosine] = [row[2 * i], row[2 * i + 1]];
    return [
      sine * Math.cos(turn) + cosine * Math.sin(turn),
      cosine * Math.cos(turn) - sine * Math.sin(turn),
    ];
  });
}
