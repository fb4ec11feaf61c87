import { common, heads_view } from "../../../../contextbook/words/en.json";
import { byLanguage } from "../../lib/words.js";

const en = { ...common, ...heads_view };

/** @typedef {typeof en} Words */

export const words = () => byLanguage({ en });
