/**
 * A point that a reader moves: by mouse, pen and finger, or by the arrow keys.
 *
 * @param {object} options
 * @param {SVGElement} options.grip what the pointer takes hold of
 * @param {SVGElement} [options.focus] what the keyboard moves, where it is not the grip itself: the
 *   grip lies on top, so it comes last in the document, and the tab order may want it first
 * @param {() => [number, number]} options.get where the point is
 * @param {(point: [number, number]) => void} options.set asks to move it
 * @param {(event: PointerEvent) => [number, number]} options.at the point under the pointer
 * @param {() => number} options.step of an arrow key; Shift makes it five times as long
 * @param {AbortSignal} options.signal
 */
export function movable({ grip, focus = grip, get, set, at, step, signal }) {
  /** From the pointer to the point, so that a grip seized at its rim does not jump. */
  let offset = /** @type {[number, number] | null} */ (null);

  grip.addEventListener(
    "pointerdown",
    (event) => {
      if (!event.isPrimary || event.button !== 0) return;
      const [x, y] = get();
      const [px, py] = at(event);
      offset = [x - px, y - py];
      grip.setPointerCapture(event.pointerId);
      grip.classList.add("cb-dragged");
      // no text selection; the focus that this would also prevent is given by hand
      event.preventDefault();
      focus.focus({ preventScroll: true });
    },
    { signal },
  );
  // a finger that moves the point must not scroll the page; `touch-action` alone does not hold on
  // every part of an SVG in every browser
  grip.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false, signal });
  grip.addEventListener(
    "pointermove",
    (event) => {
      if (!offset) return;
      const [px, py] = at(event);
      set([px + offset[0], py + offset[1]]);
    },
    { signal },
  );
  for (const name of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
    grip.addEventListener(
      name,
      () => {
        offset = null;
        grip.classList.remove("cb-dragged");
      },
      { signal },
    );
  }

  focus.addEventListener(
    "keydown",
    (event) => {
      const direction = DIRECTIONS[event.key];
      if (!direction || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      const length = step() * (event.shiftKey ? 5 : 1);
      const [x, y] = get();
      set([x + direction[0] * length, y + direction[1] * length]);
    },
    { signal },
  );
}

/** @type {Record<string, [number, number] | undefined>} */
const DIRECTIONS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
