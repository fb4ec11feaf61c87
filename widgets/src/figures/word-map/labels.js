/** Names beside marks: as many as have room, and none on top of another. */

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */

const GAP = 2;

/**
 * Give each mark's name a place to the right of it, to the left, above or below.
 * @param {object} options
 * @param {number[]} options.order the marks whose names are wanted, the most important first
 * @param {{ x: number, y: number, r: number }[]} options.marks in pixels
 * @param {number[]} options.widths of the names
 * @param {number} options.height of a line
 * @param {number} options.size of the square that holds them
 * @param {Box[]} options.taken where no name may lie; grows
 * @returns {Map<number, Box>} without those that have no room
 */
export function placeLabels({ order, marks, widths, height, size, taken }) {
  /** @type {Map<number, Box>} */
  const places = new Map();
  for (const i of order) {
    const place = around(marks[i], widths[i], height).find(
      (box) => inside(box, size) && !taken.some((other) => overlap(box, other)),
    );
    if (!place) continue;
    places.set(i, place);
    taken.push(place);
  }
  return places;
}

/** @param {{ x: number, y: number, r: number }} mark @param {number} width @param {number} height */
function around({ x, y, r }, width, height) {
  const [far, half, mid] = [r + GAP, width / 2, height / 2];
  return [
    boxAt(x + far, y - mid, width, height),
    boxAt(x - far - width, y - mid, width, height),
    boxAt(x - half, y - far - height, width, height),
    boxAt(x - half, y + far, width, height),
    boxAt(x + r * 0.7, y - far - mid, width, height),
    boxAt(x - r * 0.7 - width, y - far - mid, width, height),
    boxAt(x + r * 0.7, y + far - mid, width, height),
    boxAt(x - r * 0.7 - width, y + far - mid, width, height),
  ];
}

/** @param {number} left @param {number} top @param {number} width @param {number} height @returns {Box} */
function boxAt(left, top, width, height) {
  return { left, right: left + width, top, bottom: top + height };
}

/** @param {{ x: number, y: number }} middle @param {number} w @param {number} h half sizes @returns {Box} */
export const boxAround = ({ x, y }, w, h = w) => boxAt(x - w, y - h, 2 * w, 2 * h);

/** @param {Box} box @param {number} size */
function inside(box, size) {
  return box.left >= 0 && box.top >= 0 && box.right <= size && box.bottom <= size;
}

/** @param {Box} a @param {Box} b */
export function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/**
 * An order that takes the groups in turn, so that each has some of its names shown.
 * @param {number[]} items
 * @param {(item: number) => unknown} groupOf
 */
export function inTurn(items, groupOf) {
  /** @type {Map<unknown, number>} */
  const seen = new Map();
  const rounds = items.map((item) => {
    const round = seen.get(groupOf(item)) ?? 0;
    seen.set(groupOf(item), round + 1);
    return { item, round };
  });
  return rounds.sort((a, b) => a.round - b.round).map(({ item }) => item);
}
