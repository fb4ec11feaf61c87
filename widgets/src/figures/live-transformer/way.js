/** One word's way through the model: what a head asks and gets for it, and its vector after each part. */
import { best } from "../../lib/decoding.js";
import { element, putText } from "../../lib/dom.js";
import { fill } from "../../lib/words.js";
import { headName } from "./matrix.js";
import { share, textOf, wordNode } from "./label.js";
import { silenced } from "./state.js";
import { picture as canvas, shadeOfNumbers } from "./strip.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./picture.js").Picture} Picture */
/** @typedef {import("../../lib/transformer.js").Asked} Asked */

/** @param {Context} context */
export function createWay(context) {
  const { words, actions, engine, colours, signal } = context;
  const title = element("p", { class: "cb-heading" });
  const intro = element("p", { class: "cb-note" });
  const table = element("div", { class: "cb-look-up" });
  const stages = element("ol", { class: "cb-stages" });
  const body = element(
    "div",
    { class: "cb-way" },
    title,
    intro,
    table,
    element("p", { class: "cb-heading" }, words.stream),
    element("p", { class: "cb-note" }, words.stream_note),
    stages,
  );
  const node = element("details", { class: "cb-opened" }, element("summary", {}, words.way), body);
  node.addEventListener("toggle", () => node.open && actions.redraw(), { signal });

  /** A strip of the numbers of a vector. @param {ArrayLike<number>} vector @param {number} largest */
  function strip(vector, largest) {
    const { above, below, ground } = colours.get();
    const made = canvas("cb-strip");
    made.draw([vector], vector.length, shadeOfNumbers(above, below, largest), ground);
    return made.node;
  }

  /** @param {Picture} picture */
  function drawLookUp({ state, view, chosenWay, chosenToken, answering }) {
    // a word of the other language has asked too, but not those that this map is of
    const asks = view.side === (view.kind === "encoder" ? "source" : "target");
    const asked = asks ? chosenWay?.layers[view.layer]?.[view.kind === "cross" ? "cross" : "self"] : null;
    const head = Math.max(view.head, 0);
    putText(title, fill(words.way_title, { word: textOf(context, chosenToken), layer: view.layer + 1, head: headName(context, head), kind: words.kinds[view.kind] }));
    if (!asked) {
      putText(intro, asks ? words.silent.layer : fill(words.asks_nothing, { kind: words.kinds[view.kind], word: textOf(context, chosenToken) }));
      table.replaceChildren();
      return;
    }
    const silent = silenced(state.off, { ...view, head }, engine.config.heads);
    table.classList.toggle("cb-off", silent !== null);
    putText(intro, [silent ? words.silent[silent] : "", view.head < 0 ? words.way_mean : words.way_note].filter(Boolean).join(" "));
    const size = asked.query.length / engine.config.heads;
    const part = (/** @type {Float64Array} */ vector) => vector.subarray(head * size, (head + 1) * size);
    const all = [part(asked.query), ...asked.keys.map(part), ...asked.values.map(part)];
    const largest = Math.max(...all.map((vector) => vector.reduce((a, b) => Math.max(a, Math.abs(b)), 0)));
    const cell = (/** @type {(Node | string)[]} */ ...parts) => element("td", {}, ...parts);
    // the query stands above the keys that it is compared with, the mixture below the values that it is made of
    const query = element("tr", {}, element("th", { scope: "row" }, words.query), cell(strip(part(asked.query), largest)), cell(), cell(), cell());
    const mixture = element("tr", {}, element("th", { scope: "row" }, words.mixture), cell(), cell(), cell(), cell(strip(asked.mixtures[head], largest)));
    const names = [words.word, words.key, words.score, words.weight, words.value];
    const header = element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)));
    const rows = asked.keys.map((key, j) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, wordNode(context, answering[j])),
        cell(strip(part(key), largest)),
        cell(asked.scores[head][j].toFixed(1).replace("-", "−")),
        cell(element("span", { class: "cb-meter", style: `--share:${asked.weights[head][j].toFixed(3)}` }), share(asked.weights[head][j])),
        cell(strip(part(asked.values[j]), largest)),
      ),
    );
    table.replaceChildren(
      element("table", {}, element("thead", {}, query, header), element("tbody", {}, ...rows), element("tfoot", {}, mixture)),
    );
  }

  /** @param {Picture} picture */
  function drawStages({ view, chosenWay }) {
    const vectors = chosenWay?.vectors ?? [];
    const largest = Math.max(...vectors.map(({ vector }) => vector.reduce((a, b) => Math.max(a, Math.abs(b)), 0)), 1e-6);
    stages.replaceChildren(
      ...vectors.map(({ part, vector }) => {
        const names = part.split(".");
        const name = names.length === 1 ? words.embedding : fill(words.stage[/** @type {"self"} */ (names[2])], { layer: Number(names[1]) + 1 });
        const item = element("li", {}, element("span", { class: "cb-stage" }, name), strip(vector, largest));
        if (view.side === "target") {
          const foreseen = engine.model.foresee(vector);
          const [likeliest] = best(foreseen, 1);
          item.append(
            element("span", { class: "cb-guess" }, wordNode(context, engine.textOf(likeliest)), ` ${share(Math.exp(foreseen[likeliest]))}`),
          );
        }
        return item;
      }),
    );
  }

  return {
    node,
    /** @param {Picture} picture */
    update(picture) {
      if (!node.open) return; // nothing is drawn that nobody sees
      drawLookUp(picture);
      drawStages(picture);
    },
  };
}
