// What a page does before it is printed: it turns light, so that what is drawn by scripts is drawn for
// white paper; it asks for the pictures that were not scrolled to; and a figure whose trained model
// was never asked for says so.
(function () {
  "use strict";

  const html = document.documentElement;
  let theme = "";

  /** Whether a figure waits for its model, which comes when it is scrolled to. */
  function waits(mount) {
    const models = (mount.dataset.models || "").split(" ").filter(Boolean);
    const asked = (name) => document.querySelector('script[src$="/models/' + name + '.js"]');
    return models.length > 0 && !models.some(asked);
  }

  window.addEventListener("beforeprint", function () {
    theme = html.dataset.theme;
    html.dataset.theme = "light";
    for (const image of document.images) image.loading = "eager";
    for (const mount of document.querySelectorAll(".figure-mount")) {
      mount.classList.toggle("waits", waits(mount));
    }
  });

  window.addEventListener("afterprint", function () {
    html.dataset.theme = theme;
  });
})();
