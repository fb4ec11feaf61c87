import { common, token_bench } from "../../../../contextbook/words/en.json";
import { byLanguage } from "../../lib/words.js";

const en = { ...common, ...token_bench };

/** @typedef {typeof en} Words */

export const words = () => byLanguage({ en });
