import { common, word_map } from "../../../../contextbook/words/en.json";
import { byLanguage } from "../../lib/words.js";

const en = { ...common, ...word_map };

/** @typedef {typeof en} Words */

export const words = () => byLanguage({ en });
