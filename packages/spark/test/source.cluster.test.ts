// The same fits on a real cluster and here. SPARK_CONNECT_URL says where; packages/spark/cluster/check.js starts one.
import { readdirSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { type Dense, type FitOptions, fit, type Model, OptionError, resume } from "bonmf";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { connect, type Session } from "../src/connect/index.js";
import { type SparkOptions, sparkEngine } from "../src/index.js";
import { makeFolder, readDigits, spread, url } from "./digits.js";

/** Everything a model is, apart from the labels, which stay on the cluster. */
function gist({ W, history, counts, settings, stopped, repairs, normSq, zeroSamples }: Model) {
  return { W: [...W.data], history, counts: [...counts], settings, stopped, repairs, normSq, zeroSamples };
}

describe("a fit on Spark", () => {
  let X: Dense;
  let session: Session;
  let files: Awaited<ReturnType<typeof makeFolder>>;
  let paths: Awaited<ReturnType<typeof spread>>;

  beforeAll(async () => {
    X = await readDigits();
    session = await connect(url);
    files = await makeFolder();
    paths = await spread(session, X, files.folder);
  });
  afterAll(async () => {
    await session?.close();
    await files?.remove();
  });

  const fitThere = async (input: Partial<SparkOptions>, options: FitOptions): Promise<Model> => {
    const source = await sparkEngine({ url, order: ["id"], parquet: paths.dense, ...input });
    try {
      return await fit(source, options);
    } finally {
      await source.close();
    }
  };

  it.each<FitOptions>([
    { k: 10, seed: 3 },
    { k: 7, seed: 1, method: "kmeans", maxIterations: 12 },
    { k: 6, seed: 2, method: "spherical", restarts: 2, maxIterations: 4 },
    { k: 5, seed: 2, update: "multiplicative", maxIterations: 4 },
  ])("ends on the bits of a local one: %o", async (options) => {
    const notes: string[] = [];
    const model = await fitThere({ onNote: (note) => notes.push(note) }, options);
    const local = await fit(X, options);
    expect(gist(model)).toEqual(gist(local));
    expect(notes).toEqual([]);
    expect(model.labels.length).toBe(0);
    expect(model.samples).toBe(X.samples);
  });

  it("fills empty clusters with the same samples", async () => {
    const options = { k: 40, seed: 5, method: "kmeans", init: "columns", maxIterations: 6 } as const;
    const local = await fit(X, options);
    expect(local.repairs).toBeGreaterThan(0);
    expect(gist(await fitThere({}, options))).toEqual(gist(local));
    expect(gist(await fitThere({ sweep: "sql" }, options))).toEqual(gist(local));
  });

  it.each(["node", "sql"] as const)("takes sparse rows, indices in any order, by %s", async (sweep) => {
    const options = { k: 8, seed: 4, maxIterations: 5 };
    const model = await fitThere({ parquet: paths.sparse, width: 64, sweep }, options);
    expect(gist(model)).toEqual(gist(await fit(X, options)));
  });

  it("takes columns and keeps their names", async () => {
    const options = { k: 4, seed: 4, maxIterations: 3, featureNames: Array.from({ length: 64 }, (_, f) => `p${f}`) };
    const source = await sparkEngine({ url, order: ["id"], query: `SELECT * FROM parquet.\`${paths.columns}\`` });
    try {
      expect(source.featureNames).toEqual(options.featureNames);
      const { featureNames } = source;
      expect(gist(await fit(source, { ...options, featureNames }))).toEqual(gist(await fit(X, options)));
    } finally {
      await source.close();
    }
  });

  it("gives the same bits by Spark SQL alone", async () => {
    for (const method of ["bonmf", "spherical", "kmeans"] as const) {
      const options = { k: 5, seed: 3, method, maxIterations: 4 } as const;
      expect(gist(await fitThere({ sweep: "sql" }, options))).toEqual(gist(await fit(X, options)));
    }
  });

  it("falls back to Spark SQL where executors have no Node, and says so", async () => {
    const notes: string[] = [];
    const options = { k: 5, seed: 3, maxIterations: 2 };
    const model = await fitThere({ node: "no-such-node", onNote: (note) => notes.push(note) }, options);
    expect(gist(model)).toEqual(gist(await fit(X, options)));
    // Spark may cut the shell's message short, so only its beginning is sure.
    expect(notes).toEqual([expect.stringMatching(/cannot run Node \(.*exec.*\): sweeps run in Spark SQL/s)]);
  });

  it("sweeps partitions that may not be kept in memory as they stream by", async () => {
    const options = { k: 6, seed: 3, maxIterations: 4 };
    expect(gist(await fitThere({ memory: 1000 }, options))).toEqual(gist(await fit(X, options)));
  });

  it("does not depend on how many partitions there are, nor on who adds them up", async () => {
    const options = { k: 6, seed: 3, maxIterations: 3 };
    expect(gist(await fitThere({ partitions: 5 }, options))).toEqual(gist(await fit(X, options)));
    const all = await readDigits(5620);
    const { dense } = await spread(session, all, `${files.folder}/all`);
    expect(gist(await fitThere({ partitions: 22, parquet: dense }, options))).toEqual(gist(await fit(all, options)));
  });

  it("has an order of its own where none is declared, whatever the partitions", async () => {
    const options = { k: 6, seed: 3, maxIterations: 3 };
    const input = (parts: number) => ({
      order: undefined,
      parquet: undefined,
      query: `SELECT /*+ REPARTITION(${parts}) */ pixels FROM parquet.\`${paths.dense}\``,
    });
    expect(gist(await fitThere(input(3), options))).toEqual(gist(await fitThere(input(11), options)));
  });

  it("sorts and packs once for several fits", async () => {
    const source = await sparkEngine({ url, order: ["id"], parquet: paths.dense });
    try {
      for (const options of [
        { k: 3, seed: 1, maxIterations: 3 },
        { k: 5, seed: 1, method: "kmeans", init: "columns", maxIterations: 3 },
      ] as const) {
        expect(gist(await fit(source, options))).toEqual(gist(await fit(X, options)));
      }
    } finally {
      await source.close();
    }
  });

  it("goes on where an earlier one stopped", async () => {
    const early = await fitThere({}, { k: 10, seed: 3, maxIterations: 3 });
    const source = await sparkEngine({ url, order: ["id"], parquet: paths.dense });
    try {
      const late = await resume(early, source, { maxIterations: 8 });
      expect(gist(late)).toEqual(gist(await fit(X, { k: 10, seed: 3, maxIterations: 8 })));
    } finally {
      await source.close();
    }
  });

  it("leaves no process behind on the executors", async () => {
    const folder = join(tmpdir(), `bonmf-${userInfo().uid}`);
    const source = await sparkEngine({ url, order: ["id"], parquet: paths.dense });
    let during: string[] = [];
    await fit(source, { k: 3, maxIterations: 1, onStep: () => (during = readdirSync(folder)) });
    expect(during.length).toBeGreaterThan(0);
    await vi.waitFor(() => expect(readdirSync(folder).filter((name) => during.includes(name))).toEqual([]), 300_000);
    await source.close();
  });

  it("refuses methods whose codes are not labels", async () => {
    await expect(fitThere({}, { k: 3, method: "nmf" })).rejects.toThrow(OptionError);
  });

  it("stops when asked to", async () => {
    const stop = new AbortController();
    const source = await sparkEngine({ url, order: ["id"], parquet: paths.dense });
    try {
      const options = { k: 10, seed: 3, signal: stop.signal, onStep: () => stop.abort() };
      const error = await fit(source, options).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "aborted", model: { iterations: 1 } });
      const model = await resume((error as { model: Model }).model, source, { maxIterations: 4 });
      expect(gist(model).W).toEqual(gist(await fit(X, { k: 10, seed: 3, maxIterations: 4 })).W);
    } finally {
      await source.close();
    }
  });
});
