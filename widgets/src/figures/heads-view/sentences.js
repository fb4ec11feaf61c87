/** The figure in words. */
import { argmax } from "../../lib/vectors.js";
import { fill } from "../../lib/words.js";
import { percent, verdictOf } from "./answers.js";
import { writtenOf } from "./sentence.js";

/** @param {import("./index.js").Context} context @param {import("./index.js").Picture} picture */
export function spokenOf(context, { state, reply }) {
  const { given, words } = context;
  const answers = reply.answers.map((answer, i) =>
    fill(words.said, {
      question: given.particles[i][2],
      answer: given.animals[answer.animal][2],
      share: percent(answer.share),
      verdict: verdictOf(context, answer),
    }),
  );
  const heads = reply.weights.map((weights, head) => {
    if (!state.on[head]) return fill(words.row_off, { number: head + 1 });
    const place = argmax(weights);
    const [animal, particle] = state.phrases[place];
    return fill(words.row_on, {
      number: head + 1,
      share: percent(weights[place]),
      animal: given.animals[animal][0],
      particle: given.particles[particle][0],
    });
  });
  return [writtenOf(given, state.phrases), ...answers, ...heads].join(" ");
}
