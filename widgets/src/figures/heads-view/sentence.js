/** The sentence in both languages, and the row of phrases with a choice of words in each. */
import { element, put, putText } from "../../lib/dom.js";
import { fill } from "../../lib/words.js";
import { swapped } from "./state.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./state.js").State} State */

/** @param {Context} context */
export function createSentence({ given, words }) {
  const japanese = element("span", { class: "cb-japanese", lang: "ja" });
  const english = element("span", { class: "cb-english" });
  return {
    node: element(
      "p",
      { class: "cb-sentence" },
      element("span", { class: "cb-hidden" }, `${words.sentence_label}: `),
      japanese,
      " ",
      english,
    ),
    /** @param {State} state */
    update({ phrases }) {
      putText(japanese, writtenOf(given, phrases));
      putText(english, englishOf(given, words, phrases));
    },
  };
}

/** @param {import("./state.js").Given} given @param {State["phrases"]} phrases */
export function writtenOf({ animals, particles, verb }, phrases) {
  return `${phrases.map(([a, p]) => animals[a][0] + particles[p][0]).join("")}${verb[0]}。`;
}

/**
 * @param {import("./state.js").Given} given
 * @param {import("./words.js").Words} words
 * @param {State["phrases"]} phrases
 */
function englishOf({ animals, particles }, words, phrases) {
  const glosses = particles.map((_, particle) => phrases.filter((phrase) => phrase[1] === particle));
  if (glosses.some((found) => found.length !== 1)) return words.no_english;
  const [who, whom, to_whom, with_whom] = glosses.map(([[animal]]) => animals[animal][2]);
  return fill(words.english, { who, whom, to_whom, with_whom });
}

/** The phrases, each with its two words to choose. @param {Context} context */
export function createPhrases({ given, words, commit, get, signal }) {
  /** @param {import("./state.js").Word[]} list @param {string} phrase @param {string} label @param {string} name */
  function choice(list, phrase, label, name) {
    const options = list.map(([text, reading, gloss], value) =>
      element("option", { value, lang: "ja" }, fill(phrase, { text, reading, gloss })),
    );
    return element("select", { "aria-label": label, class: name, lang: "ja" }, ...options);
  }
  const cards = given.example.phrases.map((_, place) => {
    const number = place + 1;
    const animal = choice(given.animals, words.animal_option, fill(words.animal, { number }), "cb-animal");
    const particle = choice(given.particles, words.particle_option, fill(words.particle, { number }), "cb-particle");
    const shown = [element("span", { class: "cb-text", lang: "ja" }), element("span", { class: "cb-gloss" })];
    const parts = [animal, particle];
    parts.forEach((select, part) =>
      select.addEventListener(
        "change",
        () => {
          const phrases = get().phrases.map((phrase) => /** @type {[number, number]} */ ([...phrase]));
          phrases[place][part] = Number(select.value);
          commit({ phrases });
        },
        { signal },
      ),
    );
    const node = element("div", { class: "cb-phrase" }, ...shown, ...parts);
    return { node, shown, parts };
  });
  const swaps = cards.slice(1).map((_, place) => {
    const label = fill(words.swap, { first: place + 1, second: place + 2 });
    const button = element("button", { type: "button", "aria-label": label, title: label }, "⇄");
    button.addEventListener("click", () => commit({ phrases: swapped(get().phrases, place) }), { signal });
    cards[place].node.append(button);
    return button;
  });
  return {
    nodes: cards.map(({ node }) => node),
    swaps,
    /** @param {State} state */
    update({ phrases }) {
      cards.forEach(({ shown, parts }, place) => {
        const [animal, particle] = phrases[place];
        putText(shown[0], given.animals[animal][0] + given.particles[particle][0]);
        putText(shown[1], given.animals[animal][2]);
        phrases[place].forEach((value, part) => {
          if (parts[part].value !== String(value)) parts[part].value = String(value);
        });
        put(parts[0], "title", given.animals[animal].slice(1).join(", "));
      });
    },
  };
}
