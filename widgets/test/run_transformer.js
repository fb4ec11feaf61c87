/**
 * Runs a packed Transformer for `tests/javascript/test_page_transformer.py`: jobs as JSON on standard
 * input, tokens as JSON on standard output. All probabilities and weights go to the file that a job
 * names, as single precision numbers one after the other: JSON would take minutes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { beamSearch, greedy, tokensOf } from "../src/lib/decoding.js";
import { createTransformer } from "../src/lib/transformer.js";
import { unpack } from "../src/lib/weights.js";

const jobs = JSON.parse(readFileSync(0, "utf8"));
const answers = jobs.map((/** @type {any} */ { data, sources, maxLength, width, settings = {}, numbers }) => {
  const model = createTransformer(unpack(new Uint8Array(Buffer.from(data, "base64"))));
  const switches = { ...settings, off: new Set(settings.off) };
  /** @type {number[]} */
  const all = [];
  const written = sources.map((/** @type {number[]} */ source) => {
    if (width) {
      const { beams } = beamSearch(model, source, { width, maxLength, settings: switches });
      return tokensOf(beams[0]);
    }
    const { tokens, steps } = greedy(model, source, { maxLength, settings: switches });
    if (!numbers) return tokens;
    for (const { logProbs } of steps) for (const x of logProbs) all.push(Math.exp(x));
    const { source: ways } = model.start(source, switches);
    const asked = [
      ...ways.flatMap((way) => way.layers.map((layer) => layer.self)),
      ...steps.flatMap(({ weights }) => weights.layers.flatMap((/** @type {any} */ layer) => [layer.self, layer.cross])),
    ];
    for (const one of asked) for (const row of one?.weights ?? []) all.push(...row);
    return tokens;
  });
  if (numbers) writeFileSync(numbers, Float32Array.from(all));
  return written;
});
process.stdout.write(JSON.stringify(answers));
