/** Contrast of every colour, in the light and in the dark, by WCAG 2.2. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL("../src/lib/theme.css", import.meta.url), "utf8");
const pairs = [...css.matchAll(/--cb-([\w-]+): light-dark\((#\w+), (#\w+)\)/g)];
const colours = Object.fromEntries(pairs.map(([, name, light, dark]) => [name, [light, dark]]));

/** @param {string} hex */
function luminance(hex) {
  const full = hex.length === 4 ? [...hex.slice(1)].map((d) => d + d).join("") : hex.slice(1);
  const [r, g, b] = [0, 2, 4].map((i) => {
    const c = parseInt(full.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {string} a @param {string} b */
function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

for (const [theme, i] of /** @type {const} */ ([["light", 0], ["dark", 1]])) {
  for (const ground of ["surface", "raised"]) {
    test(`${theme}: words and marks stand out from the ${ground}`, () => {
      assert.ok(pairs.length >= 16);
      for (const [name, values] of Object.entries(colours)) {
        const least = { ink: 4.5, muted: 4.5, warning: 4.5, accent: 3, control: 3 }[name];
        const wanted = least ?? (name.startsWith("key-") ? 3 : 1);
        const found = contrast(values[i], colours[ground][i]);
        assert.ok(found >= wanted, `${name} on ${ground}: ${found.toFixed(2)} < ${wanted}`);
      }
    });
  }
}
