/** The picture in words. */
import { format } from "../../lib/numbers.js";
import { fill } from "../../lib/words.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Picture} Picture */

/** A negative factor stands in brackets. @param {number} x */
const factor = (x) => (x < 0 ? `(${format(x)})` : format(x));

/** A share as a percentage, with two digits however small it is. @param {number} share */
export function percent(share) {
  const hundred = 100 * share;
  if (hundred === 0 || hundred >= 9.95) return `${hundred.toFixed(0)}%`;
  return hundred >= 0.01 ? `${Number(hundred.toPrecision(2))}%` : "< 0.01%";
}

/**
 * How the chosen step made cell and hidden state.
 * @param {Context} context
 * @param {Picture} picture
 */
export function sumsOf({ words }, { state, run }) {
  const t = state.step - 1;
  return [
    fill(words.sum_cell, {
      forget: format(state.forget_gate[t]),
      before: factor(t ? run.cell[t - 1] : 0),
      input: format(state.input_gate[t]),
      candidate: factor(state.candidate[t]),
      cell: format(run.cell[t]),
    }),
    fill(words.sum_hidden, {
      output: format(state.output_gate[t]),
      cell: format(run.cell[t]),
      hidden: format(run.hidden[t]),
    }),
  ];
}

/** @param {Context} context @param {Picture} picture */
export function leftOf({ words }, { state, run }) {
  if (run.wrote === 0) return words.wrote_nothing;
  return fill(words.left, {
    wrote: format(run.wrote),
    steps: state.candidate.length,
    share: percent(run.share),
    left: format(run.left),
  });
}

/** @param {Context} context @param {Picture} picture */
export function spokenOf(context, picture) {
  const { state, run } = picture;
  const t = state.step - 1;
  return fill(context.words.spoken, {
    step: state.step,
    steps: state.candidate.length,
    candidate: format(state.candidate[t]),
    input: format(state.input_gate[t]),
    forget: format(state.forget_gate[t]),
    output: format(state.output_gate[t]),
    cell: format(run.cell[t]),
    hidden: format(run.hidden[t]),
    last: format(run.cell[run.cell.length - 1]),
    left: leftOf(context, picture),
  });
}
