import { common, sequence_writer } from "../../../../contextbook/words/en.json";
import { byLanguage } from "../../lib/words.js";

const en = { ...common, ...sequence_writer };

/** @typedef {typeof en} Words */

export const words = () => byLanguage({ en });
