/** Arguments that no type allows, as a program without types gives them: an error that names the argument, or none. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  BonmfError,
  fit,
  fitTransform,
  loadModel,
  type Model,
  OptionError,
  resume,
  saveModel,
} from "../../src/index.js";
import { FIT_OPTIONS } from "../../src/model/options.js";

const X = [
  [5, 0, 1],
  [4, 1, 0],
  [0, 3, 3],
  [1, 4, 5],
];
const NONSENSE: readonly [string, unknown][] = [
  ["undefined", undefined],
  ["null", null],
  ["3", 3],
  ["NaN", Number.NaN],
  ["a text", "x"],
  ["true", true],
  ["a big number", 10n],
  ["a symbol", Symbol("s")],
  ["a function", () => 1],
  ["[]", []],
  ["[1, 2]", [1, 2]],
  ["[null]", [null]],
  ["[['a']]", [["a"]]],
  ["{}", {}],
  ["a map", new Map()],
  ["a date", new Date(0)],
  ["an array of numbers", new Float32Array(3)],
];

let model: Model;
beforeAll(async () => {
  model = await fit(X, { k: 2, seed: 7 });
});

/** The error, which must be one of ours; null where there is none. */
async function failureOf(call: () => unknown): Promise<BonmfError | null> {
  try {
    await call();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(BonmfError);
    return error as BonmfError;
  }
}

describe.each(NONSENSE)("%s", (_, value) => {
  const given = value as never;

  it("as samples, options, model or file", async () => {
    for (const call of [fit, fitTransform]) {
      expect(await failureOf(() => call(given, { k: 2 }))).not.toBeNull();
      expect((await failureOf(() => call(X, given)))?.message).toMatch(/\bk\b|options/);
    }
    expect((await failureOf(() => resume(given, X)))?.message).toContain("resume needs a model");
    expect((await failureOf(() => saveModel(given)))?.message).toContain("saveModel needs a model");
    expect(await failureOf(() => loadModel(given))).not.toBeNull();
    for (const call of [() => resume(model, given), () => model.predict(given), () => model.transform(given)]) {
      await failureOf(call);
    }
  });

  it.each([...Object.keys(FIT_OPTIONS), "onCheckpoint"])("as %s", async (option) => {
    const failure = await failureOf(() => fit(X, { k: 2, [option]: value }));
    if (failure instanceof OptionError) expect(failure.option).toBe(option);
    else if (failure) expect(failure.message).toContain(option);
  });
});
