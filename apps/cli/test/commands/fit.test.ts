import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fit, loadModel, nmi, readCsv, saveModel } from "bonmf";
import { describe, expect, it } from "vitest";
import { makeFolder, runBonmf, writeBlobs } from "../binary.js";

const cwd = makeFolder();
writeBlobs(join(cwd, "blobs.csv"), 600, 8, 4);
const run = (...args: string[]) => runBonmf(["fit", ...args], { cwd });

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

/** [exit code, first line of stderr, hint]. */
async function failure(...args: string[]) {
  const { code, stdout, stderr } = await run(...args);
  expect(stdout).toBe("");
  const [message, hint = ""] = stderr.split("\n");
  return { code, message, hint };
}

const MEASURES = { explained: expect.any(Number), silhouette: expect.any(Number), cosine: expect.any(Number) };

const CLUSTER = (cluster: number) => ({
  cluster,
  size: expect.any(Number),
  share: expect.any(Number),
  features: expect.arrayContaining([
    {
      name: expect.stringMatching(/^x\d$/),
      direction: expect.stringMatching(/^(high|low)$/),
      value: expect.any(Number),
      sd: expect.any(Number),
      elsewhere: expect.any(Number),
      effect: expect.any(Number),
      interval: [expect.any(Number), expect.any(Number)],
    },
  ]),
});

describe("--json of fit", async () => {
  const answer = await json("blobs.csv", "--k", "4", "--seed", "3", "--label", "class");
  const table = readCsv(readFileSync(join(cwd, "blobs.csv")), { label: "class" });

  it("is this contract and nothing else", async () => {
    expect(answer).toEqual({
      method: "bonmf",
      k: 4,
      seed: 3,
      samples: 600,
      features: 8,
      iterations: expect.any(Number),
      converged: true,
      scale: { name: "lift", reason: "the features have different units" },
      starts: { runs: 10, best: expect.any(Number), spread: expect.any(Number), objectives: expect.any(Array) },
      objective: expect.any(Number),
      loss: "frobenius",
      penalties: { l1W: 0, l2W: 0, l1H: 0, l2H: 0 },
      explained: expect.any(Number),
      relativeError: expect.any(Number),
      plan: {
        label: "class",
        id: null,
        weight: null,
        text: null,
        categories: {},
        decimals: {},
        fills: {},
        leftOut: {},
      },
      reference: { samples: 600, own: MEASURES, chance: MEASURES, better: expect.any(Boolean) },
      counts: [expect.any(Number), expect.any(Number), expect.any(Number), expect.any(Number)],
      dead: [],
      engine: "memory",
      kernel: "dense f32, Hamerly",
      seconds: { read: expect.any(Number), fit: expect.any(Number), write: expect.any(Number) },
      threads: 1,
      labelAccuracy: expect.any(Number),
      nmi: expect.any(Number),
      ari: expect.any(Number),
      clusteringAccuracy: expect.any(Number),
      model: null,
      assignments: null,
      prototypes: null,
      clusters: [CLUSTER(0), CLUSTER(1), CLUSTER(2), CLUSTER(3)],
    });
  });

  it("is what the library finds, to the bit", async () => {
    const featureNames = Array.from({ length: 8 }, (_, f) => `x${f}`);
    const model = await fit(table.X, { k: 4, seed: 3, scale: "auto", init: "plusplus", restarts: 10, featureNames });
    expect(answer.starts.objectives).toEqual(model.potentials);
    expect(answer.objective).toBe(model.potential);
    expect(answer.relativeError).toBe(model.relativeError);
    expect(answer.iterations).toBe(model.iterations);
    expect(answer.counts).toEqual([...model.counts]);
    expect(answer.nmi).toBe(nmi(table.labels!, model.labels));
  });

  it("has null for scores without a label column", async () => {
    const { labelAccuracy, nmi, ari, clusteringAccuracy, features } = await json(
      "blobs.csv",
      "--k",
      "4",
      "--exclude",
      "class",
    );
    expect([labelAccuracy, nmi, ari, clusteringAccuracy]).toEqual([null, null, null, null]);
    expect(features).toBe(8);
  });

  it("counts the threads", async () => {
    writeBlobs(join(cwd, "many.csv"), 4000, 8, 4);
    expect((await json("many.csv", "--k", "4", "--label", "class", "--threads", "2")).threads).toBe(2);
  });
});

describe("results", () => {
  it("are files: the model and the assignments", async () => {
    const { model, assignments } = await json(
      "blobs.csv",
      "-k",
      "4",
      "--label",
      "class",
      "-o",
      "m.st",
      "--assignments",
      "a.csv",
    );
    expect({ model, assignments }).toEqual({ model: "m.st", assignments: "a.csv" });
    const kept = loadModel(readFileSync(join(cwd, "m.st")));
    expect(kept.tags.source).toBe("blobs.csv");
    expect(JSON.parse(kept.tags.recipe)).toMatchObject({ kind: "csv" });
    expect(kept.featureNames).toEqual(["x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7"]);
    const [header, ...rows] = readFileSync(join(cwd, "a.csv"), "utf8").trimEnd().split("\n");
    expect(header).toBe("x0,x1,x2,x3,x4,x5,x6,x7,class,cluster,cosine,margin");
    expect(rows.map((row) => Number(row.split(",")[9]))).toEqual(Array.from(kept.labels));
    expect(readdirSync(cwd).filter((name) => name.startsWith(".bonmf"))).toEqual([]);
  });

  it("are tables for people", async () => {
    const { code, stdout, stderr } = await run("blobs.csv", "--k", "4", "--label", "class", "--restarts", "3");
    const note = "note: scale lift, because the features have different units (--scale none keeps them as they are)\n";
    expect({ code, stderr }).toEqual({ code: 0, stderr: note });
    expect(stdout).toContain("blobs.csv  600 samples × 8 features (csv), read in ");
    expect(stdout).toMatch(
      /^bonmf, k = 4, seed 0, scale lift, best of 3 starts \(number \d\) {2}\d+ iterations, converged: no label changed/m,
    );
    expect(stdout).toMatch(/^explained \d+\.\d % \(one prototype: 0 %\), relative error 0\.\d+$/m);
    expect(stdout).toMatch(/^(all 3|\d of 3) starts found this answer/m);
    expect(stdout).toMatch(/^cluster +size +share +class +of it +most distinctive$/m);
    expect(stdout.match(/^ +\d +\d+ +\d+\.\d % +c\d +\d+\.\d % +x\d/gm)).toHaveLength(4);
    expect(stdout).toMatch(/^label accuracy .* clustering accuracy .* NMI .* ARI /m);
  });

  it("count samples by their weights: a row twice with half the weight changes nothing", async () => {
    const [head, ...rows] = readFileSync(join(cwd, "blobs.csv"), "utf8").trim().split("\n");
    const write = (name: string, lines: string[]) => writeFileSync(join(cwd, name), `${lines.join("\n")}\n`);
    write("once.csv", [`${head},w`, ...rows.map((row, i) => `${row},${1 + (i % 2)}`)]);
    const halves = (i: number) => (i % 3 === 0 ? [(1 + (i % 2)) / 2, (1 + (i % 2)) / 2] : [1 + (i % 2)]);
    write("twice.csv", [`${head},w`, ...rows.flatMap((row, i) => halves(i).map((weight) => `${row},${weight}`))]);
    const weigh = (file: string) => json(file, "--k", "4", "--exclude", "class", "--weight", "w", "--scale", "none");
    const [once, twice] = [await weigh("once.csv"), await weigh("twice.csv")];
    expect(once.reference).toMatchObject({ samples: expect.any(Number) });
    expect(twice.reference).toEqual(once.reference);
    const tell = ({ clusters }: typeof once) =>
      clusters
        .map(({ features }: { features: { name: string; direction: string; effect: number }[] }) =>
          features.map(({ name, direction, effect }) => `${name} ${direction} ${effect.toFixed(6)}`).join(),
        )
        .sort(); // The starts differ, so that clusters have other numbers.
    expect(tell(twice)).toEqual(tell(once));
    const plain = await json("blobs.csv", "--k", "4", "--exclude", "class", "--scale", "none");
    expect(tell(plain)).not.toEqual(tell(once));
  });

  it("take options of the methods", async () => {
    const options = ["blobs.csv", "--k", "3", "--label", "class"];
    expect((await json(...options, "--method", "kmeans", "--init", "sample")).method).toBe("kmeans");
    expect((await json(...options, "--update", "multiplicative", "--max-iterations", "2")).iterations).toBe(2);
    expect((await json(...options, "--method", "onmf", "--alpha", "0.5", "--max-iterations", "3")).converged).toBe(
      false,
    );
    expect((await json(...options, "--method", "semi-binary", "--sweeps", "2", "--tolerance", "0.5")).converged).toBe(
      true,
    );
    expect((await json(...options, "--scale", "minmax")).relativeError).not.toBe(
      (await json(...options)).relativeError,
    );
  });

  it("weigh words by tfidf unless told otherwise", async () => {
    const lines = ["apples and pears", "pears and plums", "cars and trains", "trains and planes", "apples, plums"];
    writeFileSync(join(cwd, "lines.txt"), `${lines.join("\n").repeat(3)}\n`);
    await run("lines.txt", "--k", "2", "--out", "words.st");
    expect(loadModel(readFileSync(join(cwd, "words.st"))).scaler.name).toBe("tfidf");
    await run("lines.txt", "--k", "2", "--out", "words.st", "--scale", "l2");
    expect(loadModel(readFileSync(join(cwd, "words.st"))).scaler.name).toBe("l2");
  });
});

describe("--resume", async () => {
  const data = ["blobs.csv", "--label", "class"];
  const whole = await json(...data, "--k", "4", "--seed", "5", "--method", "nmf");
  await json(...data, "--k", "4", "--seed", "5", "--method", "nmf", "--max-iterations", "4", "--out", "early.st");

  it("goes on to the same bits, and keeps how samples were read", async () => {
    const late = await json(...data, "--resume", "early.st", "--max-iterations", "500", "--out", "late.st");
    const { seconds: _, model, ...found } = late;
    const { seconds: __, model: ___, ...expected } = whole;
    expect(found).toEqual(expected);
    expect(model).toBe("late.st");
    expect(loadModel(readFileSync(join(cwd, "late.st"))).tags.source).toBe("blobs.csv");
  });

  it("accepts options that agree and refuses others", async () => {
    expect((await run(...data, "--resume", "early.st", "--k", "4", "--method", "nmf", "--seed", "5")).code).toBe(0);
    expect(await failure(...data, "--resume", "early.st", "--k", "5")).toEqual({
      code: 1,
      message: "error: --k 5 does not agree with the model to resume, which has 4",
      hint: "hint: omit --k to resume with the model's own value, or omit --resume to start a new fit",
    });
    expect((await failure(...data, "--resume", "early.st", "--scale", "l2")).message).toContain("--scale l2");
  });

  it("refuses other samples", async () => {
    writeBlobs(join(cwd, "other.csv"), 500, 8, 4);
    expect((await failure("other.csv", "--label", "class", "--resume", "early.st")).message).toContain(
      "600 samples but these are 500",
    );
  });

  it("refuses what is no model", async () => {
    expect((await failure(...data, "--resume", "blobs.csv")).message).toMatch(
      /^error: blobs\.csv is not a model file$/,
    );
    writeFileSync(join(cwd, "cut.st"), readFileSync(join(cwd, "early.st")).subarray(0, 900));
    expect(await failure(...data, "--resume", "cut.st")).toMatchObject({
      code: 1,
      message: expect.stringMatching(/^error: cut\.st: /),
    });
    const bytes = Buffer.from(saveModel(loadModel(readFileSync(join(cwd, "early.st")))));
    const text = bytes.toString("latin1").replace('"format_version":"1"', '"format_version":"9"');
    writeFileSync(join(cwd, "new.st"), text, "latin1");
    expect((await failure(...data, "--resume", "new.st")).message).toMatch(/format version 9.*upgrade bonmf/);
  });
});

describe("bad input", () => {
  it("has a message and a remedy", async () => {
    expect(await failure("blobs.csv")).toEqual({
      code: 1,
      message: "error: --k is missing: how many clusters?",
      hint: "hint: for example --k 10; --k auto chooses",
    });
    expect(await failure("blobs.csv", "--label", "class", "--k", "601")).toEqual({
      code: 1,
      message: "error: k is 601 but there are only 600 samples: choose a k of 1 … 600",
      hint: "hint: change --k",
    });
    expect(await failure("blobs.csv", "--label", "class", "--k", "2", "--max-iterations", "0")).toMatchObject({
      code: 1,
      hint: "hint: change --max-iterations",
    });
  });

  it("negative values name sample, column and scalers", async () => {
    writeFileSync(join(cwd, "signed.csv"), "width,height\n1,2\n3,-4\n5,6\n");
    expect(await failure("signed.csv", "--k", "2", "--method", "nmf", "--scale", "none")).toEqual({
      code: 1,
      message: 'error: signed.csv: sample 2, column "height" is -4: the factorisation needs values of 0 or more',
      hint: expect.stringMatching(/--scale minmax .*--scale shift .*--scale split/),
    });
    for (const scale of ["auto", "minmax", "shift", "split"])
      expect((await run("signed.csv", "--k", "2", "--method", "nmf", "--scale", scale)).code).toBe(0);
    for (const scale of ["auto", "none", "standard", "lift"])
      expect((await run("signed.csv", "--k", "2", "--scale", scale)).code).toBe(0);
  });

  it("results that cannot be written are refused before anything is read", async () => {
    expect((await failure("none.csv", "--k", "2", "--out", "no/such/m.st")).message).toContain(
      "the folder no/such does not exist",
    );
    expect((await failure("none.csv", "--k", "2", "--assignments", "a.xyz")).message).toContain("a.xyz");
    mkdirSync(join(cwd, "folder"));
    expect((await failure("none.csv", "--k", "2", "--out", "folder")).message).toContain("is a folder");
    expect(readdirSync(cwd).filter((name) => name.startsWith(".bonmf"))).toEqual([]);
  });

  it("no such file", async () => {
    const { code, message } = await failure("none.csv", "--k", "2", "--out", "kept.st");
    expect(code).toBe(1);
    expect(message).toContain("none.csv");
    expect(existsSync(join(cwd, "kept.st"))).toBe(false);
  });
});
