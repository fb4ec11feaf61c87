import assert from "node:assert/strict";
import { test } from "node:test";
import { createRegistry } from "../src/page/registry.js";

test("a model's script is loaded once and gives its bytes", async () => {
  /** @type {string[]} */
  const asked = [];
  const registry = createRegistry(async (path) => {
    asked.push(path);
    registry.register("translator", Buffer.from([0, 127, 255]).toString("base64"));
  });
  const [one, two] = await Promise.all(["translator", "translator"].map(registry.whenModel));
  assert.deepEqual([...one], [0, 127, 255]);
  assert.equal(one, two);
  await registry.whenModel("translator");
  assert.deepEqual(asked, ["models/translator.js"]);
});

test("a model that is registered before it is asked for needs no script", async () => {
  const registry = createRegistry(() => assert.fail("nothing to load"));
  registry.register("translator", "AAEC");
  assert.deepEqual([...(await registry.whenModel("translator"))], [0, 1, 2]);
});

test("a script that fails, or that holds something else, is a clear error; then it may be tried again", async () => {
  let online = false;
  const registry = createRegistry(async (path) => {
    if (!online) throw new Error(`${path} could not be loaded`);
    registry.register("other", "AA==");
  });
  await assert.rejects(registry.whenModel("translator"), /models\/translator.js could not be loaded/);
  online = true;
  await assert.rejects(registry.whenModel("translator"), /holds no “translator”/);
});

test("only plain names become addresses", async () => {
  const registry = createRegistry(() => assert.fail("nothing to load"));
  for (const name of ["../secret", "a/b", "", "HTTP:", "a.js"]) {
    await assert.rejects(registry.whenFigure(name), /is no name/);
    await assert.rejects(registry.whenModel(name), /is no name/);
  }
});
