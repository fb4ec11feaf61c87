/** One unit of an LSTM whose gates are given. */

/**
 * The rows of one unit, an entry for each step.
 * @typedef {object} Rows
 * @property {number[]} candidate what the step offers
 * @property {number[]} input_gate
 * @property {number[]} forget_gate
 * @property {number[]} output_gate
 */

/**
 * Cell and hidden state after each step, from a cell of 0: the last lines of an LSTM's step.
 * @param {Rows} rows
 */
export function runGates({ candidate, input_gate, forget_gate, output_gate }) {
  let cell = 0;
  const cells = candidate.map((offered, t) => {
    cell = forget_gate[t] * cell + input_gate[t] * offered;
    return cell;
  });
  const hidden = cells.map((value, t) => output_gate[t] * Math.tanh(value));
  return { cell: cells, hidden };
}

/**
 * What the first step wrote, the share of it that the later forget gates leave, and so what is left.
 * @param {Rows} rows
 */
export function leftOfFirst({ candidate, input_gate, forget_gate }) {
  const wrote = input_gate[0] * candidate[0];
  const share = forget_gate.slice(1).reduce((product, gate) => product * gate, 1);
  return { wrote, share, left: share * wrote };
}
