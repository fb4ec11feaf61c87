/** The figure in words, for those who hear it. */
import { fill } from "../../lib/words.js";
import { verdict } from "./changed.js";
import { written } from "./field.js";
import { takes } from "./matrix.js";

/** @param {import("./index.js").Context} context @param {import("./picture.js").Picture} picture */
export function spokenOf(context, picture) {
  const { words, engine } = context;
  const target = picture.steps.map((step) => engine.textOf(step.token)).filter((word) => word !== engine.stop);
  return [
    fill(words.spoken, { source: written(picture.state.sentence), target: target.join("") }),
    picture.untouched ? "" : verdict(context, picture),
    takes(context, picture),
  ]
    .filter(Boolean)
    .join(" ");
}
