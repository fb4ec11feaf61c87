/** The figure in words, for those who hear it. */
import { fill } from "../../lib/words.js";
import { verdict } from "./changed.js";
import { written } from "./field.js";
import { takes } from "./matrix.js";

/**
 * The translation as it is shown, in one line.
 * @param {import("./index.js").Context} context
 * @param {import("./picture.js").Picture} picture
 */
export function plainTranslation({ words, engine }, { steps, more }) {
  const target = steps.map((step) => engine.textOf(step.token)).filter((word) => word !== engine.stop);
  return target.join("") + (more ? ` ${fill(words.and_more, { count: more })}` : "");
}

/** @param {import("./index.js").Context} context @param {import("./picture.js").Picture} picture */
export function spokenOf(context, picture) {
  const { words } = context;
  return [
    fill(words.spoken, { source: written(picture.state.sentence), target: plainTranslation(context, picture) }),
    picture.untouched ? "" : verdict(context, picture),
    takes(context, picture),
  ]
    .filter(Boolean)
    .join(" ");
}
