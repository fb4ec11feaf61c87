/** Text as a reader can see it: white space, control characters and parts of characters included. */

/**
 * A stretch of a token: plain text, or a sign that stands for what has no picture of its own.
 * @typedef {{ text: string, sign: boolean }} Part
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
  if (sign) return { text: sign, sign: true };
  if (INVISIBLE.test(character)) return { text: codePoint(character), sign: true };
  return { text: character, sign: false };
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
    const whole = length > 0;
    const end = start + (whole ? length : 1);
    const own = bytes.slice(start, end);
    add(parts, whole ? show(decode(own)) : { text: hex(own[0]), sign: true }, whole);
    start = end;
  }
  // a mark that sits on the letter before needs something to sit on
  if (parts.length && COMBINING.test(parts[0].text)) parts[0].text = `◌${parts[0].text}`;
  return parts;
}

/** @param {number} byte */
export function hex(byte) {
  return byte.toString(16).toUpperCase().padStart(2, "0");
}

/**
 * Join plain text to the plain text before it, so that accents and joined letters stay so.
 * @param {Part[]} parts
 * @param {Part} part
 * @param {boolean} whole
 */
function add(parts, part, whole) {
  const before = parts[parts.length - 1];
  if (whole && before && !before.sign && !part.sign) before.text += part.text;
  else parts.push({ ...part });
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
