/** The live Transformer in a page as the site makes it, and what a reader does to it. */
import assert from "node:assert/strict";
import { openPage } from "./page.js";
import { savedIn } from "./models.js";

/** What the chapter's notebook keeps of the figure. */
export const state = savedIn("11-transformer", "live-transformer");
export const RUNNING = "犬が歩いていると猫と出会いました。(end)";

/** @param {{ hash?: string, still?: boolean }} [options] */
export async function open(options) {
  const { document, window, errors } = await openPage({ one: state }, options);
  /** Where the address bar is led: jsdom, unlike browsers, lets no file change its own. @type {string[]} */
  const addresses = [];
  window.history.replaceState = (_data, _title, url) => void addresses.push(String(url));
  const all = (/** @type {string} */ selector) => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);
  const find = (/** @type {string} */ selector, /** @type {string | undefined} */ text = undefined) => {
    const node = all(selector).find((one) => text === undefined || one.textContent?.includes(text) || one.ariaLabel === text);
    assert.ok(node, `${selector} ${text}`);
    return node;
  };
  const until = async (/** @type {() => boolean} */ done) => {
    for (let i = 0; i < 400 && !done(); i++) await new Promise((wake) => setTimeout(wake, 5));
    assert.ok(done());
  };
  await until(() => all(".cb-live-transformer").length === 1);
  /** Let the figure draw. */
  const drawn = () => new Promise((wake) => window.requestAnimationFrame(() => setTimeout(wake)));
  return {
    document, window, errors, all, find, until, drawn,
    address: () => addresses[addresses.length - 1],
    /** @param {string} hash */
    async follow(hash) {
      const changed = new Promise((wake) => window.addEventListener("hashchange", wake, { once: true }));
      window.location.hash = hash;
      await changed;
      await drawn();
    },
    /** @param {string} text @param {string} [selector] */
    async press(text, selector = "button") {
      find(selector, text).click();
      await drawn();
    },
    /** @param {string} sentence */
    async type(sentence) {
      const input = /** @type {HTMLInputElement} */ (find(".cb-field input"));
      input.focus();
      input.value = sentence;
      input.dispatchEvent(new window.Event("input", { bubbles: true }));
      await drawn();
    },
    /** @param {string} name @returns {HTMLInputElement} the switch by that name */
    box(name) {
      const found = all("input[type=checkbox]").find((one) => (one.ariaLabel ?? one.getAttribute("aria-label") ?? one.parentElement?.textContent) === name);
      assert.ok(found, name);
      return /** @type {HTMLInputElement} */ (found);
    },
    translation: () => all(".cb-written .cb-word").map((node) => node.textContent).join(""),
    source: () => all(".cb-tokens:not(.cb-written) .cb-word").map((node) => node.textContent).join(" "),
    chances: () => all(".cb-written .cb-chance").map((node) => node.textContent).join(" "),
  };
}

/** @type {Awaited<ReturnType<typeof open>> | undefined} */
let shared;
let visits = 0;

/** The page of most tests, as a link with nothing but the author's sentence leaves it. */
export async function fresh() {
  const page = (shared ??= await open());
  /** @type {HTMLElement | null} */ (page.document.activeElement)?.blur();
  for (const details of page.all("details[open]")) details.removeAttribute("open");
  await page.follow(`#live?s=${state.example.sentence.join("+")}&map=cross+2+4&visit=${++visits}`);
  page.all(".cb-written button")[0].click();
  await page.drawn();
  assert.equal(page.translation(), RUNNING);
  return page;
}

/** Faults that the page told of. */
export const faults = () => shared?.errors;
