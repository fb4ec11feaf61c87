import { common, influence_view } from "../../../../contextbook/words/en.json";
import { byLanguage } from "../../lib/words.js";

const en = { ...common, ...influence_view };

/** @typedef {typeof en} Words */

export const words = () => byLanguage({ en });
