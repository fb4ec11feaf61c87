/** Text as a reader can see it: white space, control characters and parts of characters included. */

/**
 * A stretch of a token: plain text, a sign that stands for what has no picture of its own, or a code
 * (a byte or a code point, in hexadecimal), which needs room around it to be told from letters.
 * @typedef {{ text: string, kind: "text" | "sign" | "code" }} Part
 */

const SIGNS = new Map([
  [" ", "␣"],
  ["\n", "↵"],
  ["\t", "⇥"],
]);
// controls, spaces, and what Unicode wants ignored in display, such as the joiners inside of emoji
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
const COMBINING = /^\p{M}/u;

/**
 * Show one character.
 * @param {string} character
 * @returns {Part}
 */
export function show(character) {
  const sign = SIGNS.get(character);
  if (sign) return { text: sign, kind: "sign" };
  if (INVISIBLE.test(character)) return { text: codePoint(character), kind: "code" };
  return { text: character, kind: "text" };
}

/**
 * Show the bytes of a token: its whole characters as text, the rest in hexadecimal.
 * @param {number[]} bytes
 * @returns {Part[]}
 */
export function showBytes(bytes) {
  /** @type {Part[]} */
  const parts = [];
  for (let start = 0; start < bytes.length; ) {
    const length = characterLength(bytes, start);
    add(
      parts,
      length
        ? show(decode(bytes.slice(start, start + length)))
        : { text: hex(bytes[start]), kind: "code" },
    );
    start += length || 1;
  }
  // a mark that sits on the letter before needs something to sit on
  if (parts.length && COMBINING.test(parts[0].text)) parts[0].text = `◌${parts[0].text}`;
  return parts;
}

/** The same as plain text. @param {number[]} bytes */
export function plain(bytes) {
  return showBytes(bytes)
    .map(({ text, kind }) => (kind === "code" ? ` ${text} ` : text))
    .join("")
    .replace(/ +/g, " ")
    .trim();
}

/** @param {number} byte */
export function hex(byte) {
  return byte.toString(16).toUpperCase().padStart(2, "0");
}

/**
 * Join plain text to the plain text before it, so that accents and joined letters stay so.
 * @param {Part[]} parts
 * @param {Part} part
 */
function add(parts, part) {
  const before = parts[parts.length - 1];
  if (before?.kind === "text" && part.kind === "text") before.text += part.text;
  else parts.push(part);
}

/** @param {string} character */
function codePoint(character) {
  const code = /** @type {number} */ (character.codePointAt(0));
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** @param {number[]} bytes */
function decode(bytes) {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));
}

/**
 * How many bytes the character takes that begins here; 0 when no whole one does. The bytes come
 * from a text, so that a first byte with all its followers is a character.
 * @param {number[]} bytes
 * @param {number} start
 */
function characterLength(bytes, start) {
  const first = bytes[start];
  const length = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (start + length > bytes.length) return 0;
  const followers = bytes.slice(start + 1, start + length);
  return followers.every((byte) => byte >> 6 === 2) ? length : 0;
}

/** `ja` for what holds Japanese, or its glyphs come out Chinese. @param {string} text */
export function langOf(text) {
  return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\u3000-\u303f]/u.test(text) ? "ja" : "";
}
