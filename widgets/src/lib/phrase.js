/**
 * Fill the placeholders of a phrase with elements, so that a Japanese word in it can be marked.
 * @param {string} phrase
 * @param {Record<string, string | Node | (string | Node)[]>} values
 * @returns {(string | Node)[]}
 */
export function compose(phrase, values) {
  // split by a group gives text and names in turn
  return phrase.split(/\{(\w+)\}/).flatMap((piece, i) => {
    if (i % 2 === 0) return piece ? [piece] : [];
    if (!(piece in values)) throw new Error(`“${phrase}” asks for ${piece}, which was not given`);
    return values[piece];
  });
}
