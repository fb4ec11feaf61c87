/** What the figure knows, and the cuts that follow from it. */

/**
 * The traits that a reader can change; Python's `TokenBench` has the same.
 * @typedef {object} State
 * @property {string} text well formed, at most `MAX_TEXT` characters
 * @property {number} used how many merges are applied, the first ones
 */

/**
 * A token of the text.
 * @typedef {object} Token
 * @property {number} id
 * @property {number[]} bytes
 * @property {boolean} opens whether a piece begins here, so that no merge can join it to the left
 */

/**
 * A character of the text, with the bytes that store it.
 * @typedef {object} Character
 * @property {string} text
 * @property {{ byte: number, token: number }[]} bytes each with the token that it belongs to
 */

/**
 * A merge, and where it stands in the text.
 * @typedef {object} Merge
 * @property {number} number counted from 1, as a reader does
 * @property {[number, number]} pair
 * @property {number} id of the new token
 * @property {number[]} places the tokens that it would join to their right neighbours
 */

/**
 * @typedef {object} Cuts
 * @property {Token[]} tokens
 * @property {Character[]} characters
 * @property {number} bytes
 * @property {Merge | null} next the first merge that would change this text
 * @property {number | null} last the number of the merge that changed it last
 */

/** Where Python keeps each entry. */
export const TRAITS = { text: "text", used: "merges_used" };

/** The limit of Python's `TokenBench`: each character may be four tokens, each in three strips. */
export const MAX_TEXT = 300;

const N_BYTES = 256;

/**
 * What the figure can show of a text: half a character (a lone surrogate, which no UTF-8 can store)
 * becomes �, and what is too long is cut.
 * @param {string} typed
 */
export function admit(typed) {
  const whole = typed.replace(/\p{Surrogate}/gu, "\ufffd");
  const characters = Array.from(whole);
  return {
    text: characters.slice(0, MAX_TEXT).join(""),
    length: characters.length,
    broken: whole !== typed,
  };
}

/**
 * @param {ReturnType<typeof import("../../lib/bpe.js").createTokenizer>} tokenizer
 * @param {State} state
 * @returns {Cuts}
 */
export function cut(tokenizer, { text, used }) {
  const pieces = tokenizer.encode(text, used);
  const tokens = pieces.flatMap((ids) =>
    ids.map((id, i) => ({ id, bytes: tokenizer.bytes[id], opens: i === 0 })),
  );
  const bytes = tokens.flatMap((token, i) => token.bytes.map((byte) => ({ byte, token: i })));
  const candidates = pieces.map(tokenizer.firstPair).filter((found) => found !== null);
  const first = candidates.sort((a, b) => a.newId - b.newId)[0];
  const newest = tokens.reduce((most, { id }) => Math.max(most, id), 0);
  return {
    tokens,
    characters: shareOut(text, bytes),
    bytes: bytes.length,
    next: first ? nextMerge(tokens, first) : null,
    // what a merge made stays whole until a later merge takes it up
    last: newest >= N_BYTES ? newest - N_BYTES + 1 : null,
  };
}

/**
 * @param {Token[]} tokens
 * @param {{ pair: [number, number], newId: number }} found
 * @returns {Merge}
 */
function nextMerge(tokens, { pair, newId }) {
  /** @type {number[]} */
  const places = [];
  for (let i = 0; i + 1 < tokens.length; i++) {
    const here = tokens[i].id === pair[0] && tokens[i + 1].id === pair[1];
    // of three alike, the first two are joined
    if (here && !tokens[i + 1].opens && places[places.length - 1] !== i - 1) places.push(i);
  }
  return { number: newId - N_BYTES + 1, pair, id: newId, places };
}

/**
 * Give each character its bytes.
 * @param {string} text
 * @param {{ byte: number, token: number }[]} bytes
 * @returns {Character[]}
 */
function shareOut(text, bytes) {
  let start = 0;
  return Array.from(text, (character) => {
    const end = start + utf8Length(/** @type {number} */ (character.codePointAt(0)));
    const own = bytes.slice(start, end);
    start = end;
    return { text: character, bytes: own };
  });
}

/** @param {number} code */
function utf8Length(code) {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
