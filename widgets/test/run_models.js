/**
 * Runs packed models for `tests/javascript/test_page_translators.py`: jobs as JSON on standard input,
 * answers as JSON on standard output.
 */
import { readFileSync } from "node:fs";
import { beamSearch, greedy, tokensOf } from "../src/lib/decoding.js";
import { createTranslator } from "../src/lib/seq2seq.js";
import { unpack } from "../src/lib/weights.js";

/** @type {any[]} */
const jobs = JSON.parse(readFileSync(0, "utf8"));
const answers = jobs.map((job) => {
  const { data, sources, width, alpha, maxLength, settings, whole } = job;
  const model = createTranslator(unpack(new Uint8Array(Buffer.from(data, "base64"))));
  return sources.map((/** @type {number[]} */ source) => {
    if (width) {
      const { beams } = beamSearch(model, source, { width, alpha, maxLength, settings });
      return beams.map((beam) => ({ tokens: tokensOf(beam), score: beam.score }));
    }
    const { tokens, score, steps } = greedy(model, source, { maxLength, settings });
    if (!whole) return { tokens, score };
    const logProbs = steps.map((step) => Array.from(step.logProbs));
    const weights = steps.map((step) => step.weights && Array.from(step.weights));
    return { tokens, score, logProbs, weights };
  });
});
process.stdout.write(JSON.stringify(answers));
