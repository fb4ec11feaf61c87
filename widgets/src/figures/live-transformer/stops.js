/** What the tour's steps do when they are done for the reader. */
import { UNTOUCHED, headOf } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {"tour" | "sentence" | "written" | "attention" | "way" | "beside"} Place of the figure */
/**
 * @typedef {object} Stop
 * @property {{ title: string, task: string, notice: string }} text
 * @property {State} start what the step begins with, whatever was done before
 * @property {State[]} states one after the other, at each press
 * @property {Partial<import("./state.js").View>} view
 * @property {Place} place where the step is to be seen
 */
/**
 * What stops need of the figure's context.
 * @typedef {object} Needed
 * @property {import("./words.js").Words} words
 * @property {Pick<import("./engine.js").Engine, "config" | "knows" | "writes">} engine
 * @property {{ layer: number, head: number, share: number }} aligning
 * @property {string[]} others names of the models that are shown beside
 */

const sentence = (/** @type {string} */ text) => text.split(" ");
const DOG = sentence("as the dog was walking along , it met a cat .");
const CAT = sentence("as the cat was walking along , it met a dog .");
const DOG_CHASED = sentence("the dog chased the cat .");
const CAT_CHASED = sentence("the cat chased the dog .");
const LONG = sentence(
  "as the strong young bear which slept was running in this famous big school , it met a rabbit which met the beautiful small fox .",
);
/** Where the translation of the dog's sentence has the cat. */
const NEKO = 6;

/**
 * The steps that a model can take: one with other words, or with no other model beside it, has fewer.
 * @param {Needed} context
 * @returns {Stop[]}
 */
export function createStops({ words, engine, aligning, others }) {
  const { layer, head, share } = aligning;
  const align = { kind: /** @type {const} */ ("cross"), layer, head, side: /** @type {const} */ ("target"), index: 0 };
  const row = Array.from({ length: engine.config.heads }, (_, one) => headOf("cross", layer, one));
  const texts = words.tour_steps;
  /** @type {{ text: keyof typeof texts, start?: Partial<State>, states: Partial<State>[], view?: Stop["view"], place?: Place, needs?: boolean }[]} */
  const stops = [
    { text: "change", states: [{ sentence: CAT }] },
    { text: share > 0 ? "align" : "find", states: [{ sentence: DOG }], view: align, place: "attention" },
    {
      text: "mask",
      states: [{ sentence: DOG }],
      view: { ...align, kind: "decoder", layer: 0, head: -1, index: 3 },
      place: "attention",
    },
    { text: "way", states: [{ sentence: DOG }], view: { ...align, index: NEKO }, place: "way" },
    {
      text: "force",
      states: ["食べ", "狐"].map((word) => ({ sentence: DOG, forced: { 0: word } })),
      view: align,
      needs: engine.writes("食べ") && engine.writes("狐"),
    },
    {
      text: "soften",
      states: [
        { sentence: DOG, temperature: 3 },
        { sentence: DOG, scale: false },
      ],
      view: { ...align, index: NEKO },
    },
    {
      text: "bag",
      start: { sentence: CAT_CHASED },
      states: [CAT_CHASED, DOG_CHASED].map((words) => ({ sentence: words, positions: false })),
      view: { ...align, kind: "encoder", layer: 0, head: -1, side: "source", index: 1 },
      needs: engine.config.positions,
    },
    {
      text: "never",
      start: { sentence: CAT_CHASED },
      states: [{ sentence: CAT_CHASED }, { sentence: DOG_CHASED }],
      place: "beside",
      needs: engine.config.positions && others.some((name) => name.endsWith("no-positions")),
    },
    { text: "residuals", states: [{ sentence: DOG, residuals: false }] },
    {
      text: "heads",
      states: [[headOf("cross", layer, head)], row].map((off) => ({ sentence: DOG, off })),
      view: align,
      place: "written",
      needs: share > 0,
    },
    {
      text: "far",
      states: [{ sentence: LONG }],
      view: align,
      place: "beside",
      needs: ["seq2seq", "luong-dot"].every((name) => others.includes(name)),
    },
  ];
  return stops
    .filter(({ states, needs = true }) => needs && states.every((state) => state.sentence?.every(engine.knows)))
    .map(({ text, start = { sentence: DOG }, states, view = {}, place = "sentence" }) => ({
      text: texts[text],
      start: /** @type {State} */ ({ ...UNTOUCHED, ...start }),
      states: states.map((state) => /** @type {State} */ ({ ...UNTOUCHED, ...state })),
      view,
      place,
    }));
}
