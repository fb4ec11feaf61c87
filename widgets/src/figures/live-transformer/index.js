/** A whole Transformer in the page: type a sentence, open every attention, switch any part off. */
import { announcer } from "../../lib/announce.js";
import { addStyles, element } from "../../lib/dom.js";
import { putFigure } from "../../lib/frame.js";
import { createStore } from "../../lib/store.js";
import { connect, readTraits } from "../../lib/traits.js";
import { loadWeights, placeOf, whenNear } from "../../lib/weights.js";
import { fill } from "../../lib/words.js";
import { createActions } from "./actions.js";
import { createArcs } from "./arcs.js";
import { createBeside } from "./beside.js";
import { createChanged } from "./changed.js";
import { createControls } from "./controls.js";
import { createEngine } from "./engine.js";
import { createField, read } from "./field.js";
import { createGrowing } from "./growing.js";
import { createHeads } from "./heads.js";
import { hashOf, readHash, viewOf } from "./link.js";
import { NOTHING } from "./marking.js";
import { createMatrix } from "./matrix.js";
import { pictureOf } from "./picture.js";
import { spokenOf } from "./sentences.js";
import { createSource } from "./source.js";
import { TRAITS, UNTOUCHED, isUntouched, sanitised } from "./state.js";
import { createColours } from "./strip.js";
import maps from "./maps.css";
import style from "./style.css";
import { createTarget } from "./target.js";
import { createTour } from "./tour.js";
import tourStyle from "./tour.css";
import { createWay } from "./way.js";
import { words as wordsOfPage } from "./words.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").View} View */
/** @typedef {import("./engine.js").Translation} Translation */
/** @typedef {import("./marking.js").Marked} Marked */
/** @typedef {import("./picture.js").Picture} Picture */

/**
 * What every part of the figure is given.
 * @typedef {object} Context
 * @property {import("./words.js").Words} words
 * @property {import("./engine.js").Engine} engine
 * @property {Actions} actions
 * @property {ReturnType<typeof createColours>} colours
 * @property {Record<string, string[]>} notes reading and meaning of target words
 * @property {string[]} example the author's sentence
 * @property {string[][]} examples
 * @property {{ layer: number, head: number, share: number }} aligning the head that aligns best
 * @property {string[]} others names of the models that are shown beside
 * @property {number} longest
 * @property {(name: string) => Promise<import("../../lib/weights.js").Weights>} load
 * @property {boolean} isPage whether the address is the figure's to change: not in a notebook
 * @property {AbortSignal} signal ends all listeners
 */
/**
 * @typedef {ReturnType<typeof createActions> & {
 *   copyLink: () => Promise<string>,
 *   redraw: () => void,
 *   unread: (now: boolean) => void,
 *   show: (place: import("./stops.js").Place) => void,
 * }} Actions
 */

/** @param {{ model: import("../../lib/traits.js").Model, el: HTMLElement }} host */
function render({ model, el }) {
  const words = wordsOfPage();
  const ending = new AbortController();
  const waiting = element("p", { class: "cb-note" }, words.loading);
  const figure = putFigure(el, words.title, waiting);
  addStyles(el, "live-transformer", style);
  addStyles(el, "live-transformer-maps", maps);
  addStyles(el, "live-transformer-tour", tourStyle);
  /** @type {() => void} */
  let stop = () => {};

  async function begin() {
    const [main] = model.get("names");
    await whenNear(placeOf(figure), ending.signal);
    const asked = performance.now();
    try {
      const weights = await loadWeights(model, main);
      if (ending.signal.aborted) return;
      stop = live({ model, figure, words, weights, signal: ending.signal, el });
      el.dataset.readyMs = (performance.now() - asked).toFixed(1);
    } catch (error) {
      console.error(error);
      const again = element("button", { type: "button" }, words.try_again);
      again.addEventListener("click", () => (waiting.replaceChildren(words.loading), begin()), { once: true });
      figure.replaceChildren(waiting);
      waiting.replaceChildren(fill(words.failed, { message: error instanceof Error ? error.message : String(error) }), " ", again);
    }
  }
  begin();
  return () => {
    ending.abort();
    stop();
  };
}

/**
 * The figure, once its model is there.
 * @param {object} parts
 * @param {import("../../lib/traits.js").Model} parts.model
 * @param {HTMLElement} parts.figure
 * @param {import("./words.js").Words} parts.words
 * @param {import("../../lib/weights.js").Weights} parts.weights
 * @param {AbortSignal} parts.signal
 * @param {HTMLElement} parts.el
 */
function live({ model, figure, words, weights, signal, el }) {
  const longest = model.get("longest");
  const engine = createEngine(weights, longest);
  const example = model.get("example").sentence;
  const [layer, head, aligned] = model.get("aligning");
  const aligning = { layer, head, share: aligned };
  const store = createStore(/** @type {State} */ (readTraits(model, TRAITS)));
  const link = connect(model, store, TRAITS, ({ sentence }) => sentence.length > 0 && sentence.every(engine.knows));
  /** @type {ReturnType<typeof createStore<View>>} */
  const looking = createStore(
    /** @type {View} */ ({ kind: "cross", layer, head, side: "target", index: 0, written: null, step: 0 }),
  );
  /** What the pointer is on. @type {Marked} */
  let marked = NOTHING;
  /** Whether the field holds something that cannot be translated. */
  let unread = false;
  const isPage = "contextbook" in window;
  const colours = createColours(() => schedule(), signal);

  /** @type {Actions} */
  const actions = {
    ...createActions({
      get: store.get,
      commit: link.commit,
      look: looking.get,
      turn: looking.set,
      sentence: example,
      mark(now) {
        const next = now ?? NOTHING;
        if (next.query === marked.query && next.key === marked.key) return;
        marked = next;
        schedule();
      },
    }),
    redraw: () => schedule(),
    unread(now) {
      if (now === unread) return;
      unread = now;
      schedule();
    },
    show(place) {
      if (place === "way" || place === "beside") places[place].open = true;
      // once it is drawn: below the tour's card, or on a phone below its bar
      requestAnimationFrame(() => {
        if (signal.aborted) return;
        measure();
        places[place].scrollIntoView?.({ block: "start" });
      });
    },
    async copyLink() {
      const hash = hashOf(store.get(), looking.get());
      if (isPage) history.replaceState(null, "", hash);
      const address = location.href.replace(/#.*$/, "") + hash;
      try {
        await navigator.clipboard.writeText(address);
        return words.copied;
      } catch {
        return isPage ? words.in_address : address; // a browser that lets no page write there
      }
    },
  };
  /** @type {Context} */
  const context = {
    words,
    engine,
    actions,
    colours,
    notes: model.get("notes"),
    example,
    examples: model.get("examples"),
    aligning,
    others: model.get("names").slice(1),
    longest,
    load: (name) => loadWeights(model, name),
    isPage,
    signal,
  };
  const tour = createTour(context);
  const field = createField(context);
  const source = createSource(context);
  const target = createTarget(context);
  const growing = createGrowing(context);
  const changed = createChanged(context);
  const controls = createControls(context);
  const heads = createHeads(context);
  const arcs = createArcs(context);
  const matrix = createMatrix(context);
  const way = createWay(context);
  const beside = createBeside(context);
  const parts = [tour, field, source, target, growing, changed, controls, heads, arcs, matrix, way, beside];
  const spoken = announcer();
  const attention = element(
    "section",
    { class: "cb-attention", "aria-label": words.attention },
    heads.node,
    element("div", { class: "cb-maps" }, arcs.node, matrix.node),
  );
  const places = { tour: figure, sentence: source.node, written: target.list, attention, way: way.node, beside: beside.node };

  const body = element(
    "div",
    { class: "cb-live-transformer" },
    colours.node,
    tour.node,
    tour.bar,
    element(
      "section",
      { class: "cb-translation" },
      field.node,
      source.node,
      source.tools,
      element("p", { class: "cb-note cb-by-mouse" }, words.move_hint),
      element("p", { class: "cb-note cb-by-touch" }, words.move_hint_touch),
      target.list,
      growing.node,
      target.alternatives,
      changed.node,
    ),
    controls.node,
    attention,
    way.node,
    beside.node,
    spoken.node,
  );
  figure.replaceChildren(body);

  /** What lies below the tour's card must know its height. */
  const measure = () => body.style.setProperty("--card", `${tour.card.offsetHeight}px`);
  if ("ResizeObserver" in window) {
    const watch = new ResizeObserver(measure);
    watch.observe(tour.card);
    signal.addEventListener("abort", () => watch.disconnect());
  }

  /** The last translation, and what it was made of. @type {{ key: string, translation: Translation } | null} */
  let made = null;

  /** @returns {Translation} */
  function translated() {
    const state = store.get();
    const key = JSON.stringify(state);
    if (made?.key !== key) made = { key, translation: engine.translate(state) };
    return made.translation;
  }

  function draw() {
    const state = store.get();
    const translation = translated();
    const untouched = isUntouched(state);
    const original = untouched ? translation : engine.original(state, UNTOUCHED);
    return pictureOf({ state, view: looking.get(), translation, original, untouched, unread, marked, engine });
  }

  let frame = 0;
  function schedule() {
    if (!frame) frame = requestAnimationFrame(update);
  }

  function update() {
    frame = 0;
    if (signal.aborted) return;
    const start = performance.now();
    const picture = draw();
    const computed = performance.now();
    for (const part of parts) part.update(picture);
    body.classList.toggle("cb-unread", unread);
    spoken.say(() => spokenOf(context, picture));
    el.dataset.translateMs = (computed - start).toFixed(3);
    el.dataset.updateMs = (performance.now() - start).toFixed(3);
    el.dataset.updates = String(Number(el.dataset.updates ?? 0) + 1);
  }

  /** Go where the address asks, if it asks for something that can be had. */
  function follow() {
    const asked = readHash(location.hash);
    if (!asked) return;
    if (asked.step !== null) {
      if (asked.step >= 1 && asked.step <= tour.count) tour.enter(asked.step);
      else field.complain(fill(words.link_step, { step: asked.step, count: tour.count }));
    } else {
      tour.forget();
      const clean = sanitised({ ...asked.state, sentence: asked.text === null ? undefined : read(asked.text, engine) }, engine);
      looking.set({ written: null, step: 0, ...viewOf(asked.map, engine.config) });
      link.commit({ ...UNTOUCHED, ...clean });
      if (asked.text !== null && !clean.sentence) field.refuse(asked.text);
    }
    schedule();
    figure.scrollIntoView?.({ block: "start" });
  }

  // paper does not wait for the next frame; a page turns light for it, and the canvases with it
  window.addEventListener(
    "beforeprint",
    () => {
      colours.renew();
      update();
    },
    { signal },
  );
  const stops = [store.subscribe(schedule), looking.subscribe(schedule), link.stop, spoken.stop];
  if (isPage) {
    window.addEventListener("hashchange", follow, { signal });
    follow();
  }
  update();
  return () => {
    cancelAnimationFrame(frame);
    for (const one of stops) one();
  };
}

export default { render };
