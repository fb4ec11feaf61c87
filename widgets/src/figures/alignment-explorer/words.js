import { alignment_explorer, common } from "../../../../contextbook/words/en.json";
import { byLanguage } from "../../lib/words.js";

const en = { ...common, ...alignment_explorer };

/** @typedef {typeof en} Words */

export const words = () => byLanguage({ en });
