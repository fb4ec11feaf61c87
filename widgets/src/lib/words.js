/**
 * Choose the words of the page's language.
 * @template T
 * @param {{ en: T } & Record<string, T>} tables by language
 * @returns {T}
 */
export function byLanguage(tables) {
  const [language] = (document.documentElement.lang || "en").toLowerCase().split("-");
  return Object.hasOwn(tables, language) ? tables[language] : tables.en;
}

/**
 * Fill the placeholders of a phrase, as Python's `str.format` does.
 * @param {string} phrase
 * @param {Record<string, string | number>} values
 */
export function fill(phrase, values) {
  return phrase.replace(/\{(\w+)\}/g, (_, name) => {
    if (!(name in values)) throw new Error(`“${phrase}” asks for ${name}, which was not given`);
    return String(values[name]);
  });
}
