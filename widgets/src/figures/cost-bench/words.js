import { common, cost_bench } from "../../../../contextbook/words/en.json";
import { byLanguage } from "../../lib/words.js";

const en = { ...common, ...cost_bench };

/** @typedef {typeof en} Words */

export const words = () => byLanguage({ en });
