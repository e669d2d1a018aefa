import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Dense, type Matrix, readCsv, readLibsvm, readMatrixMarket, readNpy, Sparse } from "bonmf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../../src/read/data.js";
import { writeData } from "../../src/write/matrix.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bonmf-matrix-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const values = Array.from({ length: 2500 }, (_, i) => [i, i % 3 === 0 ? 0 : i / 10, 0 - i]);
const sparse = Sparse.from(
  values.map((row) => row.flatMap((value, f): [number, number][] => (value === 0 ? [] : [[f, value]]))),
  3,
);
const labels = values.map((_, i) => (i % 2 ? "odd" : "even"));

function dataOf(X: Matrix, more: Partial<Data> = {}): Data {
  const rest = { features: ["a", "b", "label"], labels, ids: null, weights: null, notes: [] };
  return { X, ...rest, kind: "csv", recipe: { kind: "csv" }, ...more };
}

const names = { id: "id", label: "label", weight: "weight" };

describe.each([
  ["dense", Dense.from(values)],
  ["dense, 64 bits", Dense.from(values, "f64")],
  ["sparse", sparse],
])("writeData of %s samples", (title, X) => {
  const path = (name: string) => join(folder, `${title}.${name}`);
  const { precision } = X;
  const cells = (read: Matrix) => read.toDense().data;

  it("as CSV, whose label column has a name of its own", async () => {
    expect(await writeData(path("csv"), dataOf(X), "csv", { names })).toEqual([]);
    const table = readCsv(await readFile(path("csv")), { label: "label_2", precision });
    expect(cells(table.X)).toEqual(cells(X));
    expect(table.featureNames).toEqual(["a", "b", "label"]);
    expect(table.labels).toEqual(labels);
  });

  it("as LIBSVM, also compressed", async () => {
    expect(await writeData(path("svm.gz"), dataOf(X), "libsvm", { names })).toEqual(["names of the features"]);
    const table = readLibsvm(gunzipSync(await readFile(path("svm.gz"))), { precision });
    expect(cells(table.X)).toEqual(cells(X));
    expect(table.labels).toEqual(labels);
  });

  it("as Matrix Market, without labels", async () => {
    expect(await writeData(path("mtx"), dataOf(X, { features: null }), "mtx", { names })).toEqual(["labels"]);
    const table = readMatrixMarket(await readFile(path("mtx")), { precision });
    expect(table.X.kind).toBe(X.kind);
    expect(cells(table.X)).toEqual(cells(X));
  });

  it("as NPY, without labels", async () => {
    const left = await writeData(path("npy"), dataOf(X, { ids: [] }), "npy", { names });
    expect(left).toEqual(["names of the features", "labels", "ids"]);
    const table = readNpy(await readFile(path("npy")));
    expect(table.X.precision).toBe(precision);
    expect(cells(table.X)).toEqual(cells(X));
  });
});

describe("writeData", () => {
  it("puts ids first, then features, weights and labels", async () => {
    const path = join(folder, "all.csv");
    const more = { features: null, labels: [1, 0], ids: ["p", "q"], weights: Float64Array.of(1, 2.5) };
    await writeData(
      path,
      dataOf(
        Dense.from([
          [1, 2],
          [3, 4],
        ]),
        more,
      ),
      "csv",
      { names },
    );
    expect(await readFile(path, "utf8")).toBe("id,f1,f2,weight,label\np,1,2,1,1\nq,3,4,2.5,0\n");
  });

  it.each(["csv", "parquet", "npy"] as const)(
    "refuses to fill a huge sparse matrix with zeros as %s",
    async (format) => {
      const X = Sparse.from(
        Array.from({ length: 20_000 }, (_, i): [number, number][] => [[i, 1]]),
        20_000,
      );
      const wide = dataOf(X, { features: null, labels: null });
      await expect(writeData(join(folder, `x.${format}`), wide, format, { names })).rejects.toMatchObject({
        message: expect.stringContaining("20000 × 20000 sparse samples would be 400000000 cells"),
        hint: "keep them sparse: --to libsvm (with labels) or --to mtx",
      });
    },
  );

  it("stops when it is told to, and leaves nothing", async () => {
    const stop = new AbortController();
    const onProgress = () => stop.abort();
    const path = join(folder, "stopped.csv");
    await expect(writeData(path, dataOf(sparse), "csv", { names, signal: stop.signal, onProgress })).rejects.toThrow();
    await expect(readFile(path)).rejects.toThrow("ENOENT");
  });
});
