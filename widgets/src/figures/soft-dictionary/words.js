import { common, soft_dictionary } from "../../../../contextbook/words/en.json";
import { byLanguage } from "../../lib/words.js";

const en = { ...common, ...soft_dictionary };

/** @typedef {typeof en} Words */

export const words = () => byLanguage({ en });
