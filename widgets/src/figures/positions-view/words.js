import { common, positions_view } from "../../../../contextbook/words/en.json";
import { byLanguage } from "../../lib/words.js";

const en = { ...common, ...positions_view };

/** @typedef {typeof en} Words */

export const words = () => byLanguage({ en });
