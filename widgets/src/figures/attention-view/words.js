import { attention_view, common } from "../../../../contextbook/words/en.json";
import { byLanguage } from "../../lib/words.js";

const en = { ...common, ...attention_view };

/** @typedef {typeof en} Words */

export const words = () => byLanguage({ en });
