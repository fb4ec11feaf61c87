import { common, live_transformer } from "../../../../contextbook/words/en.json";
import { byLanguage } from "../../lib/words.js";

const en = { ...common, ...live_transformer };

/** @typedef {typeof en} Words */

export const words = () => byLanguage({ en });
