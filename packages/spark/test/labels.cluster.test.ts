// Labels that a real cluster writes, and what is in its files afterwards.

import { join } from "node:path";
import { type Dense, fit, fitScaler } from "bonmf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Session } from "../src/connect/index.js";
import { sparkEngine } from "../src/index.js";
import { makeFolder, readDigits, spread, url } from "./digits.js";

describe("labels written by Spark", () => {
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

  const read = async (from: string): Promise<[id: number, cluster: number][]> => {
    const rows = await session.collect(`SELECT id, cluster FROM ${from} ORDER BY id`);
    return rows.map(({ id, cluster }) => [Number(id), Number(cluster)]);
  };

  it.each([
    ["node", "dense"],
    ["node", "sparse"],
    ["sql", "dense"],
    ["sql", "sparse"],
  ] as const)("are those of the fit: %s, %s", async (sweep, form) => {
    const source = await sparkEngine({ url, parquet: paths[form], width: 64, order: ["id"], sweep });
    try {
      for (const method of ["bonmf", "kmeans"] as const) {
        const model = await fit(X, { k: 9, seed: 2, method });
        const parquet = join(files.folder, `labels-${sweep}-${form}-${method}`);
        expect(await source.label(model, { parquet })).toEqual(model.counts);
        expect(await read(`parquet.\`${parquet}\``)).toEqual(Array.from(model.labels, (label, i) => [i, label]));
      }
    } finally {
      await source.close();
    }
  });

  it("go into a table, under names of any kind", async () => {
    const query = `SELECT concat('a\\tb ', id) AS name, pixels FROM parquet.\`${paths.dense}\` WHERE id < 50`;
    const source = await sparkEngine({ url, query, id: "name" });
    const table = `labels_${process.pid}`;
    try {
      const model = await fit(X, { k: 9, seed: 2 });
      const counts = await source.label(model, { table });
      expect(counts.reduce((sum, n) => sum + n, 0)).toBe(50);
      const rows = await session.collect(`SELECT id, cluster FROM ${table}`);
      for (const { id, cluster } of rows) expect(cluster).toBe(model.labels[Number(String(id).slice(4))]);
    } finally {
      await session.run(`DROP TABLE IF EXISTS ${table}`);
      await source.close();
    }
  });

  it("come from the model's own scaler and method where executors have Node", async () => {
    const model = await fit(X, { k: 6, seed: 2, method: "nmf", scale: "minmax", maxIterations: 10 });
    expect(fitScaler("minmax", X).name).toBe(model.scaler.name);
    const input = { url, parquet: paths.dense, order: ["id"], signed: true };
    const source = await sparkEngine(input);
    const plain = await sparkEngine({ ...input, sweep: "sql" });
    try {
      const parquet = join(files.folder, "labels-nmf");
      await source.label(model, { parquet });
      const expected = model.predict(X);
      expect(await read(`parquet.\`${parquet}\``)).toEqual(Array.from(expected, (label, i) => [i, label]));
      await expect(plain.label(model, { parquet })).rejects.toThrow("nmf with scaler minmax");
    } finally {
      await source.close();
      await plain.close();
    }
  });
});
