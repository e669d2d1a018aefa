import { describe, expect, it } from "vitest";
import {
  auto,
  classifier,
  countWords,
  Dense,
  fit,
  fitTransform,
  loadClassifier,
  OptionError,
  predict,
  readArff,
  readCsv,
  readLibsvm,
  readMatrixMarket,
  readNpy,
  resume,
  saveClassifier,
  silhouette,
  silhouettes,
  writeCsv,
  writeNpy,
} from "../src/index.js";
import { checkKnown } from "../src/known-options.js";

const X = Dense.from([
  [5, 0],
  [4, 1],
  [0, 3],
  [1, 4],
]);
const y = ["a", "a", "b", "b"];

/** As a program without types would call it. */
type Loose = (options: never) => unknown;

async function failureOf(call: Loose, options: unknown): Promise<OptionError> {
  const error = await (async () => call(options as never))().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OptionError);
  return error as OptionError;
}

describe("an option that is not known", () => {
  const model = fit(X, { k: 2 });
  const takers: [name: string, call: Loose, good: object][] = [
    ["fit", (options) => fit(X, options), { k: 2 }],
    ["fitTransform", (options) => fitTransform(X, options), { k: 2 }],
    ["resume", async (options) => resume(await model, X, options), {}],
    ["predict", async (options) => predict(await model, X, options), {}],
    ["classifier", async (options) => classifier(await model, X, y, options), {}],
    ["reject", async (reject) => classifier(await model, X, y, { reject }), {}],
    ["auto", (options) => auto(X, y, options), { neighbors: [1], folds: 2 }],
    ["countWords", (options) => countWords(["red fish", "blue fish"], options), {}],
    ["readCsv", (options) => readCsv("a,b\n1,2\n", options), {}],
    ["writeCsv", (options) => writeCsv({ X }, options), {}],
    ["readArff", (options) => readArff("@relation r\n@attribute a numeric\n@data\n1\n", options), {}],
    ["readLibsvm", (options) => readLibsvm("1 1:2\n", options), {}],
    ["readNpy", (options) => readNpy(writeNpy(X), options), {}],
    [
      "readMatrixMarket",
      (options) => readMatrixMarket("%%MatrixMarket matrix array real general\n1 1\n5\n", options),
      {},
    ],
    ["silhouette", (options) => silhouette(X, y, options), { metric: "cosine" }],
    ["silhouettes", (options) => silhouettes(X, y, options), { metric: "cosine" }],
  ];

  it.each(takers)("is an error of %s", async (name, call, good) => {
    await call({ ...good, colour: undefined } as never);
    const error = await failureOf(call, { ...good, colour: 3 });
    expect(error.message).toMatch(new RegExp(`^${name} has no option "colour": it takes .*\\w`));
    expect({ option: error.option, value: error.value }).toEqual({ option: "colour", value: 3 });
  });

  it("is an error of loadClassifier", async () => {
    const bytes = saveClassifier(await classifier(await model, X, y));
    const change = { neighbours: 3 } as object;
    await expect(loadClassifier(bytes, "c", change)).rejects.toThrow(
      'classifier has no option "neighbours": did you mean "neighbors"?',
    );
  });

  it.each([
    ["K", "k"],
    ["maxIteration", "maxIterations"],
    ["toleranse", "tolerance"],
  ])("%s is taken for a misspelt %s", async (typed, meant) => {
    const options = { k: 2, [typed]: 3 };
    const message = `fit has no option "${typed}": did you mean "${meant}"?`;
    await expect(fit(X, options)).rejects.toThrow(message);
  });

  it("may be called like a property of every object", () => {
    const known = { name: true } as const;
    const odd = JSON.parse('{"__proto__": 1}');
    expect(() => checkKnown(odd, known, "read")).toThrow('read has no option "__proto__"');
    expect(() => checkKnown({ constructor: 1 } as object, known as object, "read")).toThrow("it takes name");
  });
});

describe("options that are missing", () => {
  const call: Loose = (options) => fit(X, options);

  it.each([
    ["fit(X)", undefined, "fit needs k, the number of clusters, as in fit(X, { k: 3 })"],
    ["fit(X, {})", {}, "fit needs k, the number of clusters, as in fit(X, { k: 3 })"],
    ["fit(X, 3)", 3, "fit takes its options as an object, as in fit(X, { k: 3 })"],
    ["fit(X, null)", null, "the options of fit must be an object, not null"],
    ["fit(X, [3])", [3], "the options of fit must be an object, not an array of 1"],
  ])("%s says what is needed", async (_, options, message) => {
    expect((await failureOf(call, options)).message).toBe(message);
  });
});
