import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { fit, nmi, readCsv, readLibsvm } from "bonmf";
import { describe, expect, it } from "vitest";
import { makeFolder, runBonmf } from "./binary.js";

const folder = process.env.BONMF_DATA_DIR ?? "";
const cwd = makeFolder();
const unpack = (path: string) => gunzipSync(readFileSync(join(folder, path)));

async function json(args: readonly string[]) {
  const { code, stdout, stderr } = await runBonmf([...args, "--json", "--quiet"], { cwd });
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

describe("on real files", () => {
  it("a gzipped CSV gives what the library gives", async () => {
    const { X, labels } = readCsv(unpack("optdigits/optdigits.csv.gz"), { label: "class" });
    const model = await fit(X, { k: 10, seed: 1, init: "plusplus", restarts: 10 });
    const path = join(folder, "optdigits/optdigits.csv.gz");
    const answer = await json(["fit", path, "--k", "10", "--seed", "1", "--label", "class"]);
    expect(answer).toMatchObject({
      samples: 5620,
      features: 64,
      iterations: model.iterations,
      counts: [...model.counts],
    });
    expect(answer.objective).toBe(model.potential);
    expect(answer.nmi).toBe(nmi(labels!, model.labels));
    expect((await json(["fit", "@optdigits", "--k", "10", "--seed", "1", "--label", "class"])).objective).toBe(
      model.potential,
    );
  });

  it("a sparse LIBSVM file too", async () => {
    const { X } = readLibsvm(unpack("w8a/w8a.svm.gz"));
    const model = await fit(X, { k: 5, init: "plusplus", restarts: 10 });
    const answer = await json(["fit", join(folder, "w8a/w8a.svm.gz"), "--k", "5"]);
    expect(answer).toMatchObject({ samples: 49749, counts: [...model.counts], objective: model.potential });
  });

  it("a column of text gives topics that agree with the editors' sections", async () => {
    const path = join(folder, "bbc/bbc-docs.csv.gz");
    const answer = await json([
      "fit",
      path,
      "--text",
      "text",
      "--label",
      "class",
      "--k",
      "5",
      "--init",
      "plusplus",
      "--restarts",
      "5",
      "--out",
      "bbc.st",
    ]);
    expect(answer.samples).toBe(2225);
    expect(answer.clusteringAccuracy).toBeGreaterThan(0.8);
    const words = (await json(["inspect", "bbc.st"])).clusters.flatMap((c: { features: { name: string }[] }) =>
      c.features.map(({ name }) => name),
    );
    expect(words).toEqual(expect.arrayContaining(["film", "election", "player"]));
  });

  it.each(["segment/segment.csv.gz", "svmguide/svmguide1.svm.gz"])(
    "%s has negative values, and remedies",
    async (path) => {
      const own = path.endsWith("csv.gz") ? ["--label", "class"] : [];
      const args = ["fit", join(folder, path), "--k", "3", "--method", "nmf", "--max-iterations", "5", ...own];
      const { code, stderr } = await runBonmf([...args, "--scale", "none"], { cwd });
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /error: .*sample 1, .* is -[\d.]+: the factorisation needs values of 0 or more\nhint: add --scale/,
      );
      for (const scale of ["auto", "minmax", "shift", "split"])
        expect((await json([...args, "--scale", scale])).k).toBe(3);
    },
  );

  it("compares methods on the paper's data", async () => {
    const path = join(folder, "diabetes/diabetes.csv.gz");
    const { methods, best } = await json([
      "compare",
      path,
      "--k",
      "2",
      "--label",
      "class",
      "--methods",
      "bonmf,kmeans,nmf,hals",
    ]);
    expect(methods).toHaveLength(4);
    expect(["nmf", "hals"]).toContain(best.relativeError);
  });
});
