import { common, recurrent_reader } from "../../../../contextbook/words/en.json";
import { byLanguage } from "../../lib/words.js";

const en = { ...common, ...recurrent_reader };

/** @typedef {typeof en} Words */

export const words = () => byLanguage({ en });
