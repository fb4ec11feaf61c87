// Whoever comes from the search stands at the place that was found, not at the page's top: where most
// of the words stand together, for the theme marks each of them everywhere.
(function () {
  "use strict";

  const BLOCKS = "p, li, dt, dd, td, th, h1, h2, h3, h4, pre, figcaption";

  function bestBlock() {
    let best = null;
    let most = 0;
    const seen = new Set();
    for (const mark of document.querySelectorAll("article .highlighted")) {
      const block = mark.closest(BLOCKS);
      if (!block || seen.has(block) || mark.closest("annotation, script")) continue;
      seen.add(block);
      const words = [...block.querySelectorAll(".highlighted")].map((one) => one.textContent.toLowerCase());
      const count = new Set(words).size;
      if (count > most) [best, most] = [block, count];
    }
    return best;
  }

  function goToFound() {
    const block = bestBlock();
    if (!block) return;
    for (let e = block.parentElement; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    block.scrollIntoView({ block: "center", behavior: "instant" });
    // reading and Tab go on from here
    block.tabIndex = -1;
    block.focus({ preventScroll: true });
    block.addEventListener("blur", () => block.removeAttribute("tabindex"), { once: true });
  }

  // the theme marks the words 10 ms after its script has run; an address that names a place leads there
  if (typeof Search === "undefined" && !location.hash) {
    window.addEventListener("load", () => setTimeout(goToFound, 20));
  }
})();
