import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder, runBonmf, writeBlobs } from "../binary.js";

const cwd = makeFolder();
writeBlobs(join(cwd, "blobs.csv"), 300, 6, 3);
const run = (...args: string[]) => runBonmf(["compare", "blobs.csv", "--k", "3", ...args], { cwd });

interface Row {
  method: string;
  [measure: string]: unknown;
}

describe("compare", () => {
  it("gives the numbers that fit gives", async () => {
    const { code, stdout } = await run("--label", "class", "--methods", "bonmf,kmeans,hals", "--seed", "2", "--json");
    expect(code).toBe(0);
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({ k: 3, seed: 2, samples: 300, features: 6 });
    expect(answer.methods.map(({ method }: Row) => method)).toEqual(["bonmf", "kmeans", "hals"]);
    for (const row of answer.methods as Row[]) {
      const args = [
        "fit",
        "blobs.csv",
        "--k",
        "3",
        "--label",
        "class",
        "--seed",
        "2",
        "--method",
        row.method,
        // hals needs values of 0 or more, so all methods get those.
        "--scale",
        "split",
        "--json",
      ];
      const { explained, relativeError, iterations, converged, labelAccuracy, clusteringAccuracy, nmi, ari } =
        JSON.parse((await runBonmf(args, { cwd })).stdout);
      expect(row).toEqual({
        method: row.method,
        explained,
        relativeError,
        iterations,
        converged,
        seconds: expect.any(Number),
        labelAccuracy,
        clusteringAccuracy,
        nmi,
        ari,
      });
    }
  });

  it("tells when hals has the error that nmf ends with", async () => {
    const { stdout } = await run("--methods", "hals,nmf", "--json");
    const { methods, halsReachesNmf } = JSON.parse(stdout);
    const [hals, nmf] = methods as { iterations: number; relativeError: number; seconds: number }[];
    expect(hals.relativeError).toBeLessThanOrEqual(nmf.relativeError);
    expect(halsReachesNmf.iterations).toBeLessThanOrEqual(hals.iterations);
    expect(halsReachesNmf.seconds).toBeLessThanOrEqual(hals.seconds);
    const plain = await run("--methods", "hals,nmf", "--max-iterations", String(halsReachesNmf.iterations), "--json");
    const [stopped] = JSON.parse(plain.stdout).methods;
    expect(stopped.relativeError).toBeLessThanOrEqual(nmf.relativeError);
    expect((await run("--methods", "hals,bonmf", "--json")).stdout).not.toContain("halsReachesNmf");
  });

  it("marks the best, which is the best", async () => {
    const { methods, best } = JSON.parse(
      (await run("--label", "class", "--methods", "bonmf,nmf,onmf", "--json")).stdout,
    );
    const by = (measure: string, sense: number) =>
      (methods as Row[]).reduce((a, b) => (sense * (b[measure] as number) > sense * (a[measure] as number) ? b : a))
        .method;
    expect(best).toEqual({
      relativeError: by("relativeError", -1),
      seconds: by("seconds", -1),
      labelAccuracy: by("labelAccuracy", 1),
      clusteringAccuracy: by("clusteringAccuracy", 1),
      nmi: by("nmi", 1),
      ari: by("ari", 1),
    });
  });

  it("shows one table, without scores where there are no classes", async () => {
    const { code, stdout, stderr } = await run("--exclude", "class");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^method +iterations +explained +relative error +time$/m);
    for (const method of ["bonmf", "kmeans", "nmf"])
      expect(stdout).toMatch(new RegExp(`^${method} +\\d+\\+? +[\\d.]+ % +0\\.\\d+\\*? +[\\d.]+ m?s`, "m"));
    expect(stdout).toContain("* best");
    expect((await run("--label", "class")).stdout).toMatch(/label accuracy +clustering accuracy +NMI +ARI$/m);
  });

  it("says which method limits stopped", async () => {
    const { stdout } = await run("--exclude", "class", "--methods", "nmf", "--max-iterations", "2");
    expect(stdout).toMatch(/^nmf +2\+/m);
    expect(stdout).toContain("+ stopped at the iteration limit");
  });

  it("refuses unknown methods", async () => {
    const { code, stderr } = await run("--methods", "bonmf,kmean");
    expect(code).toBe(1);
    expect(stderr).toContain('--methods "kmean" is not known');
    expect(stderr).toContain("did you mean kmeans?");
  });
});
