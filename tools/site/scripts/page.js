// What every page of the book does by itself: copying a formula gives its TeX, a formula or picture
// too wide for the screen can be scrolled by keyboard, what is cut off at the right shows that there is
// more, and the focus comes back from the sidebars.
(function () {
  "use strict";

  /** The formula around a node, if there is one. */
  function formulaAround(node) {
    const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
    return element && element.closest("math");
  }

  /** TeX of a formula, with the dollars that Markdown wants. */
  function texOf(math) {
    const tex = math.querySelector("annotation").textContent;
    return math.getAttribute("display") === "block" ? "$$" + tex + "$$" : "$" + tex + "$";
  }

  document.addEventListener("copy", function (event) {
    const selection = window.getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return;
    const range = selection.getRangeAt(0).cloneRange();
    // half a formula is none: take the whole of those at the ends
    const first = formulaAround(range.startContainer);
    const last = formulaAround(range.endContainer);
    if (first) range.setStartBefore(first);
    if (last) range.setEndAfter(last);
    const copied = range.cloneContents();
    const formulas = copied.querySelectorAll("math");
    if (!formulas.length) return; // the browser's own copy is right
    // The text comes from the page's own selection, so that paragraphs and lists keep their
    // breaks; each formula stands in it as its TeX.
    const holder = document.createElement("div");
    holder.className = "copied";
    for (const number of copied.querySelectorAll(".eqno")) number.remove(); // TeX has its \tag
    for (const math of formulas) math.replaceWith(document.createTextNode(texOf(math)));
    holder.append(copied);
    document.body.append(holder);
    const text = holder.innerText;
    const html = holder.innerHTML;
    holder.remove();
    event.clipboardData.setData("text/plain", text);
    event.clipboardData.setData("text/html", html);
    event.preventDefault();
  });

  function letScroll() {
    for (const wide of document.querySelectorAll("div.math > .formula, .holds-wide")) {
      if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
      else wide.removeAttribute("tabindex");
    }
  }

  const CUT = "div.math > .formula, .holds-wide, .pst-scrollable-table-container, article pre";

  /** Say whether a block goes on to the right of what is seen of it. */
  function markMore(block) {
    const hidden = block.scrollWidth - block.clientWidth - block.scrollLeft;
    block.classList.toggle("more-right", hidden > 2);
  }

  function watchCut() {
    const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => markMore(target)));
    for (const block of document.querySelectorAll(CUT)) {
      sizes.observe(block);
      block.addEventListener("scroll", () => markMore(block), { passive: true });
    }
  }

  // The theme takes the focus away from the buttons that open its sidebars on a phone: give it
  // back when they close.
  function returnFocus(name) {
    const dialog = document.getElementById("pst-" + name + "-sidebar-modal");
    if (!dialog) return;
    dialog.addEventListener("close", function () {
      for (const toggle of document.querySelectorAll("." + name + "-toggle")) {
        if (toggle.checkVisibility()) toggle.focus();
      }
    });
  }
  document.addEventListener("DOMContentLoaded", function () {
    returnFocus("primary");
    returnFocus("secondary");
  });

  window.addEventListener("load", letScroll);
  window.addEventListener("load", watchCut);
  window.addEventListener("resize", letScroll);
})();

// The search shows a piece of each page that it found, by asking for the page once more: from a file
// a browser lets it ask for nothing.
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}
