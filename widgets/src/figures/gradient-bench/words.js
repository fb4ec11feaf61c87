import { common, gradient_bench } from "../../../../contextbook/words/en.json";
import { byLanguage } from "../../lib/words.js";

const en = { ...common, ...gradient_bench };

/** @typedef {typeof en} Words */

export const words = () => byLanguage({ en });
