/**
 * Kana, kanji and their punctuation: text that needs `lang="ja"`, or a browser may choose the
 * Chinese shapes of its signs, and a screen reader the wrong voice.
 * @param {string} text
 */
export function isJapanese(text) {
  return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\u3000-\u303f\uff01-\uffef]/u.test(text);
}
