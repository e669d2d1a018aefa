// `bonmf choose --engine` on a real cluster: SPARK_CONNECT_URL, which packages/spark/cluster/check.js sets.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadModel } from "bonmf";
import { describe, expect, it } from "vitest";
import { bonmf, makeFolder, writeBlobs } from "../binary.js";

const url = process.env.SPARK_CONNECT_URL ?? "";
const cwd = makeFolder();
const run = (...args: string[]) => bonmf(args, { cwd });

describe("choose on a cluster", () => {
  it("goes by the error, and fits as here", () => {
    writeBlobs(join(cwd, "blobs.csv"), 600, 8, 3);
    const query = "select row_number() over () - 1 as id, * exclude (class) from 'blobs.csv'";
    expect(run("convert", "--sql", query, "rows.parquet")).toMatchObject({ code: 0 });
    const features = "x0,x1,x2,x3,x4,x5,x6,x7";
    const asked = ["--k", "2-4", "--restarts", "1", "--max-iterations", "5", "--features", features, "--json"];
    const there = ["--engine", url, "--order", "id", "--parquet", join(cwd, "rows.parquet")];
    const { code, stdout, stderr } = run("choose", ...there, ...asked, "--out", "there.st");
    expect(code, stderr).toBe(0);
    const [cluster, here] = [
      stdout,
      run("choose", "rows.parquet", ...asked, "--scale", "none", "--out", "here.st").stdout,
    ].map((text) => JSON.parse(text));
    expect(cluster).toMatchObject({ samples: 600, features: 8, suggested: 3, model: "there.st" });
    expect(cluster.reason).toContain("bends most at k = 3");
    const still = ({ k, objective, relativeError, iterations }: Record<string, unknown>) => [
      k,
      objective,
      relativeError,
      iterations,
    ];
    expect(cluster.rows.map(still)).toEqual(here.rows.map(still));
    const [far, near] = ["there.st", "here.st"].map((name) => loadModel(readFileSync(join(cwd, name))));
    expect(far.W.data).toEqual(near.W.data);
  });
});
