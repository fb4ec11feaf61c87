/** What the figure knows, and the steps that follow from it. */
import { leftOfFirst, runGates } from "../../lib/gates.js";

/** @typedef {import("../../lib/gates.js").Rows} Rows */
/** @typedef {keyof Rows} RowName */

/**
 * The traits that a reader can change; Python's `GateBench` has the same.
 * @typedef {Rows & { step: number, every: boolean }} State
 *   `step` counts from 1; `every`: a gate's slider sets all steps
 */

/** @typedef {Rows & { label: string }} Preset */

/** @typedef {ReturnType<typeof run>} Run */

/** @type {RowName[]} */
export const GATES = ["input_gate", "forget_gate", "output_gate"];
/** @type {RowName[]} */
export const ROWS = ["candidate", ...GATES];

/** Where Python keeps each entry. @type {Record<keyof State & string, string>} */
export const TRAITS = {
  candidate: "candidate",
  input_gate: "input_gate",
  forget_gate: "forget_gate",
  output_gate: "output_gate",
  step: "step",
  every: "every",
};

/** The least that a row may hold. @param {RowName} name */
export const lowest = (name) => (name === "candidate" ? -1 : 0);

/** Whether each step has all four numbers, and the chosen step exists. @param {State} state */
export function consistent(state) {
  const steps = state.candidate.length;
  return ROWS.every((name) => state[name].length === steps) && state.step <= steps;
}

/** @param {State} state */
export function run(state) {
  return { ...runGates(state), ...leftOfFirst(state) };
}

/**
 * A row with the number that a reader gave.
 * @param {State} state
 * @param {RowName} name
 * @param {number} value
 */
export function changed(state, name, value) {
  const all = state.every && name !== "candidate";
  return state[name].map((old, t) => (all || t === state.step - 1 ? value : old));
}

/** @param {Rows} one @param {Rows} other */
export function sameRows(one, other) {
  return ROWS.every(
    (name) =>
      one[name].length === other[name].length && one[name].every((x, t) => x === other[name][t]),
  );
}

/** @param {Rows} rows @returns {Rows} */
export function rowsOf({ candidate, input_gate, forget_gate, output_gate }) {
  return { candidate, input_gate, forget_gate, output_gate };
}
