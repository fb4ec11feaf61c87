// The search page's own ways, before the index comes: all words are required, short ones too (the
// theme leaves Japanese pairs optional beside longer words); what it shows of a page has no TeX; and it
// says what it found in the book's words.
(function () {
  const byWord = Search.performTermsSearch;
  Search.performTermsSearch = (words, excluded) => {
    const lists = [...words].map((word) => byWord(new Set([word]), excluded));
    const [first = [], ...others] = lists;
    return first.flatMap((result) => {
      const same = others.map((list) => list.find(([name]) => name === result[0]));
      if (!same.every(Boolean)) return [];
      const score = Math.max(result[4], ...same.map((other) => other[4]));
      return [[...result.slice(0, 4), score, ...result.slice(5)]];
    });
  };

  // a page may say "gradient" where "gradients" was asked for: the stem is marked there too
  const parse = Search._parseQuery;
  Search._parseQuery = (query) => {
    const parsed = parse(query);
    const [, stems, , marked] = parsed;
    for (const stem of stems) if (stem.length > 3) marked.add(stem);
    localStorage.setItem("sphinx_highlight_terms", [...marked].join(" "));
    return parsed;
  };

  const toText = Search.htmlToText;
  const TEX = /<annotation[^]*?<\/annotation>/g;
  Search.htmlToText = (html, anchor) => toText(html.replace(TEX, ""), anchor);

  const NOTHING =
    "Nothing found. A page must hold all the words; words such as “the”, and numbers by themselves, " +
    "are not looked for.";
  Object.assign(Documentation.TRANSLATIONS, {
    "Your search did not match any documents. Please make sure that all words are spelled correctly and that you've selected enough categories.":
      NOTHING,
    "Search finished, found ${resultCount} page(s) matching the search query.":
      "Places found: ${resultCount}.",
  });

  const query = new URLSearchParams(location.search).get("q");
  if (query !== null && !query) {
    const message = document.createElement("p");
    message.className = "search-summary";
    message.textContent = "Type a word to look for.";
    document.getElementById("search-results").append(message);
  }
})();
