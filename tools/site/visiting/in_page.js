// What a visit asks of a page. Evaluated in it once; gives `window.visiting`.
(function () {
  "use strict";

  const say = (element) => element.outerHTML.slice(0, 160);

  const soon = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  /** The next drawing, if there is one: a hidden page draws nothing. */
  const frame = () => Promise.race([new Promise(requestAnimationFrame), soon(100)]);

  /** Brings every image and figure into view once, then goes back to the top. */
  async function scrollThrough() {
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight) {
      scrollTo(0, y);
      await frame();
    }
    scrollTo(0, 0);
    // one that was passed too quickly comes now
    for (const image of document.images) image.loading = "eager";
    const came = (image) =>
      new Promise((resolve) => image.complete ? resolve() : (image.onload = image.onerror = resolve));
    await Promise.race([Promise.all([...document.images].map(came)), soon(5000)]);
  }

  // Where something lies over a text (a button, a formula's parts) axe-core does not say what it
  // stands on: the nearest backgrounds, one upon the other, are looked up here.
  const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
  const over = ([r, g, b, a = 1], below) =>
    [r, g, b].map((value, i) => value * a + below[i] * (1 - a));

  function luminance(colour) {
    const [r, g, b] = colour
      .map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  function background(element) {
    const below = element.parentElement ? background(element.parentElement) : [255, 255, 255];
    return over(channels(getComputedStyle(element).backgroundColor), below);
  }

  // in a drawing a text stands on the shapes that were drawn before it
  function shapesUnder(text) {
    const { x, y, width, height } = text.getBoundingClientRect();
    const siblings = [...text.parentElement.children];
    return siblings
      .slice(0, siblings.indexOf(text))
      .filter((shape) => shape.matches("circle, rect"))
      .filter((shape) => {
        const box = shape.getBoundingClientRect();
        const inside = (start, size, at) => start <= at && at <= start + size;
        return inside(box.x, box.width, x + width / 2) && inside(box.y, box.height, y + height / 2);
      });
  }

  function tooFaint(element) {
    const style = getComputedStyle(element);
    const drawn = element instanceof SVGElement;
    let paper = background(element);
    for (const shape of drawn ? shapesUnder(element) : []) {
      const { fill } = getComputedStyle(shape);
      if (fill !== "none") paper = over(channels(fill), paper);
    }
    const ink = over(channels(drawn ? style.fill : style.color), paper);
    const [dark, light] = [luminance(ink), luminance(paper)].sort((a, b) => a - b);
    const ratio = (light + 0.05) / (dark + 0.05);
    const size = parseFloat(style.fontSize);
    const needed = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
    return ratio >= needed ? [] : [`contrast ${ratio.toFixed(2)}: ${say(element)}`];
  }

  const COLOURS = ["color-contrast", "link-in-text-block"];
  // what is drawn anew for a width; running text keeps its colours
  const DRAWN_ANEW = ["header", ".bd-header-article", ".figure-mount", "dialog[open]"];

  /**
   * What axe-core finds, and the texts that it leaves open and that are too faint.
   * @param {"all" | "colours" | "not colours"} rules
   * @param {boolean} drawnAnew only in what is drawn anew for a width
   */
  async function axeFindings(rules, drawnAnew) {
    for (const details of document.querySelectorAll("details")) details.open = true;
    await Promise.race([Promise.allSettled(document.getAnimations().map((a) => a.finished)), soon(1000)]);
    const include = drawnAnew ? DRAWN_ANEW.filter((part) => document.querySelector(part)) : null;
    if (include && !include.length) return [];
    const disabled = Object.fromEntries(COLOURS.map((id) => [id, { enabled: false }]));
    const { violations, incomplete } = await axe.run(include ? { include } : document, {
      elementRef: true,
      resultTypes: ["violations", "incomplete"],
      ...(rules === "colours"
        ? { runOnly: { type: "rule", values: COLOURS } }
        : { rules: { "target-size": { enabled: true }, ...(rules === "all" ? {} : disabled) } }),
    });
    const unsure = incomplete
      .filter(({ id }) => id === "color-contrast")
      .flatMap(({ nodes }) => nodes.map(({ element }) => element));
    const found = violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ html, any }) => `${impact} ${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ""}`),
    );
    return [...found, ...unsure.flatMap(tooFaint)];
  }

  const BLOCKS = "pre, .pst-scrollable-table-container, .holds-wide, div.math > .formula";

  /** Waits, for a second at most, until what overflows can be scrolled by keyboard: a theme mends
   *  that some time after the window's width has changed. */
  async function settled() {
    const overflows = (element) => element.scrollWidth > element.clientWidth;
    const end = performance.now() + 1000;
    while (performance.now() < end) {
      const blocks = [...document.querySelectorAll(BLOCKS)];
      if (blocks.every((block) => !overflows(block) || block.tabIndex === 0)) return;
      await soon(30);
    }
  }

  /** Whether an element is scrolled further to the right than it was, now or within two seconds. */
  async function scrolls(element, before) {
    const end = performance.now() + 2000;
    while (element.scrollLeft <= before && performance.now() < end) await frame();
    return element.scrollLeft > before;
  }

  /** What makes the page scroll sideways, or lies beyond its edge where nothing scrolls. */
  function outside() {
    const width = document.documentElement.clientWidth;
    const found = [...document.querySelectorAll("article *, footer *")].filter((element) => {
      const box = element.getBoundingClientRect();
      if (!box.width || box.right <= width + 1) return false;
      for (let e = element.parentElement; e; e = e.parentElement) {
        if (/auto|scroll|hidden/.test(getComputedStyle(e).overflowX)) return false;
      }
      return true;
    });
    const { scrollWidth } = document.documentElement;
    return [
      ...(scrollWidth > width ? [`the page is ${scrollWidth} px wide on ${width}`] : []),
      ...found.map(say),
    ];
  }

  /** Texts beyond the alphabet, each with the language that it is said to be in. */
  function texts() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (!/[\u2e80-\uffff]/.test(walker.currentNode.data)) continue;
      if (parent.closest("script, style, annotation, .figure-mount, svg")) continue;
      found.push([walker.currentNode.data, parent.closest("[lang]").lang]);
    }
    return found;
  }

  /** What moves, or would, for a reader who asked that nothing does. */
  function moving() {
    const slow = [...document.querySelectorAll("body *")].filter((element) => {
      const style = getComputedStyle(element);
      return /[1-9]/.test(style.transitionDuration) || style.animationName !== "none";
    });
    return [...document.getAnimations().map((a) => `animation ${a.id}`), ...slow.map(say)];
  }

  // Of a group of radio buttons one is enough.
  function interactive(root) {
    const groups = new Set();
    const found = [];
    const all = "a[href], button, input, select, textarea, summary, [tabindex='0']";
    for (const element of root.querySelectorAll(all)) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.disabled) continue;
      if (element.tabIndex < 0 || element.closest("dialog:not([open]), [inert]")) continue;
      if (element.type === "radio") {
        if (groups.has(element.name)) continue;
        groups.add(element.name);
      }
      found.push(element);
    }
    return found;
  }

  /** What a reader can act on and Tab has not reached since `forget`. */
  function unreached() {
    return interactive(document)
      .filter((element) => !element.dataset.reached)
      .filter(
        (element) =>
          element.type !== "radio" ||
          !document.querySelector(`[name="${element.name}"][data-reached]`),
      )
      .map(say);
  }

  /** Forgets what was reached; the next Tab begins at the top again. */
  function forget() {
    for (const element of document.querySelectorAll("[data-reached]")) delete element.dataset.reached;
    document.body.tabIndex = -1;
    document.body.focus({ preventScroll: true });
    document.body.removeAttribute("tabindex");
  }

  /** The focus: what it is on, whether a ring shows it, and what of its kind looks alike. */
  function focused() {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    element.dataset.reached = "yes";
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    const ring = (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none";
    const figure = element.closest("[data-figure]")?.dataset.figure;
    return {
      html: say(element),
      ringed: ring && width > 0 && height > 0,
      kind: `${figure} ${element.tagName} ${element.getAttribute("class")}`,
    };
  }

  /** All that a reader sees of a figure, as text, but for what the controls themselves hold. */
  const look = (figure) =>
    figure.innerHTML.replace(/ data-(reached|update-ms)="[^"]*"/g, "") +
    [...figure.querySelectorAll("canvas")].map((canvas) => canvas.toDataURL());

  /** The figures of the page that compute with a trained model. */
  function withModels() {
    const saved = [
      ...document.querySelectorAll('script[type="application/vnd.jupyter.widget-state+json"]'),
    ].flatMap((script) => Object.values(JSON.parse(script.textContent).state));
    const names = saved
      .filter(({ state }) => Object.keys(state.models ?? {}).length)
      .map(({ state }) => state.figure);
    return [...document.querySelectorAll(".figure-mount")].filter(({ dataset }) =>
      names.includes(dataset.figure),
    );
  }

  /** Whether a model has come, if the page needs one: until then, keeps such a figure in view. */
  function modelsCame() {
    const came = performance.getEntriesByType("resource");
    const done = came.some(({ name }) => name.includes("/figures/models/"));
    const figures = withModels();
    if (done || !figures.length) return true;
    figures[0].scrollIntoView({ behavior: "instant" });
    return false;
  }

  // Cumulative layout shift as browsers report it: the worst window of five seconds without a pause
  // of one second; and what moved.
  let shift = 0;
  let current = { value: 0, start: -Infinity, end: -Infinity };
  const moved = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, startTime, value, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      const goesOn = startTime - current.end < 1000 && startTime - current.start < 5000;
      current = goesOn ? current : { value: 0, start: startTime };
      current.value += value;
      current.end = startTime;
      shift = Math.max(shift, current.value);
      for (const { node } of sources) if (node instanceof Element) moved.push(`${value}: ${say(node)}`);
    }
  }).observe({ type: "layout-shift", buffered: true });
  let blocking = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) blocking += Math.max(0, entry.duration - 50);
  }).observe({ type: "longtask", buffered: true });

  window.visiting = {
    scrollThrough, settled, scrolls, axeFindings, outside, texts, moving, interactive, unreached, forget, focused, look,
    modelsCame,
    vitals: () => ({ shift, moved, blocking_ms: blocking }),
  };
})();
