/**
 * A walk through a few tokens when the figure comes into view, to show that it moves: once, for less
 * than five seconds (WCAG 2.2.2), until the reader touches anything.
 */

const STEP = 1300;

/** What counts as a touch. */
const TOUCHES = ["pointerdown", "keydown", "focusin"];

/**
 * @param {object} options
 * @param {Element} options.node
 * @param {() => number[]} options.stops the tokens to visit; the last one stays
 * @param {(index: number) => void} options.visit
 * @param {() => void} options.done after the last visit, or when the reader takes over
 */
export function startTour({ node, stops, visit, done }) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  const ending = new AbortController();
  const { signal } = ending;
  const view = new IntersectionObserver(
    ([entry]) => {
      if (!entry.isIntersecting) return;
      view.disconnect();
      const left = stops();
      timer = setInterval(() => {
        const next = left.shift();
        if (next === undefined) stop();
        else visit(next);
      }, STEP);
    },
    { threshold: 0.6 },
  );

  function stop() {
    view.disconnect();
    clearInterval(timer);
    if (!signal.aborted) done();
    ending.abort();
  }

  if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return stop;
  for (const name of TOUCHES) document.addEventListener(name, stop, { signal, capture: true });
  node.addEventListener("pointerenter", stop, { signal });
  view.observe(node);
  return stop;
}

/**
 * Where a walk leads: along the heaviest weight to a token not yet seen, and back in the end.
 * @param {number} start
 * @param {number} count of queries
 * @param {(i: number) => ArrayLike<number> | null} weights of a query, where its keys are queries too
 */
export function routeFrom(start, count, weights) {
  const seen = [start];
  while (seen.length < Math.min(3, count)) {
    const here = seen[seen.length - 1];
    const row = weights(here);
    const unseen = Array.from({ length: count }, (_, i) => i).filter((i) => !seen.includes(i));
    const ahead = [...unseen.filter((i) => i > here), ...unseen];
    seen.push(row ? unseen.reduce((best, i) => (row[i] > row[best] ? i : best)) : ahead[0]);
  }
  return [...seen.slice(1), start];
}
