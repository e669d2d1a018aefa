import * as zlib from "node:zlib";
import { Table, tableFromArrays, tableToIPC, vectorFromArray } from "apache-arrow";
import { noteRounded } from "bonmf-data";
import { expect, it } from "vitest";
import type { Data, ReadOptions } from "../../../src/read/data.js";
import { Scratch } from "../../../src/read/files/scratch.js";
import { readBatches } from "../../../src/read/formats/arrow-batches.js";
import { readData } from "../../../src/read/read.js";
import { foreign, makeFolder } from "../fixture.js";

const folder = makeFolder();

/** Batch by batch; null where the files have to become a table. */
async function direct(paths: readonly string[], wishes: ReadOptions = {}): Promise<Data | null> {
  const options = { strict: true, ...wishes };
  const scratch = new Scratch();
  try {
    const files = paths.map((path) => ({ path, name: path }));
    return await readBatches(files, options, scratch);
  } finally {
    await scratch.remove();
  }
}

/** The same as by way of a table, which --missing needs. */
async function expectSame(paths: readonly string[], options: ReadOptions = {}): Promise<void> {
  const table = await readData(paths, { strict: true, ...options, missing: "drop" });
  const found = await direct(paths, options);
  expect(found && { ...found, notes: [...found.notes, ...noteRounded(found)] }).toEqual(table);
}

const rows = 3000;
const count = <T>(fill: (i: number) => T) => Array.from({ length: rows }, (_, i) => fill(i));
const table = tableFromArrays({
  f: Float32Array.from(count((i) => i / 3)),
  d: Float64Array.from(count((i) => i / 7)),
  a: Int8Array.from(count((i) => (i % 256) - 128)),
  b: Uint8Array.from(count((i) => i % 256)),
  c: Int16Array.from(count((i) => i - 1500)),
  e: Uint16Array.from(count((i) => 65_535 - i)),
  g: Int32Array.from(count((i) => -i * 1001)),
  h: Uint32Array.from(count((i) => 4_294_967_295 - i)),
  k: BigInt64Array.from(count((i) => BigInt(i) * -123_456_789_012n)),
  l: BigUint64Array.from(count((i) => 9_007_199_254_740_991n - BigInt(i) ** 4n)),
  huge: BigUint64Array.from(count((i) => 18_446_744_073_709_551_615n - BigInt(i) ** 5n)),
  same: Float32Array.from(count(() => 4)),
  name: count((i) => `n${i}`),
});

it.each(["file", "stream"] as const)(
  "reads numbers of every type from a %s, whatever is between them",
  async (form) => {
    const path = folder.put(`all.${form}.arrow`, tableToIPC(table, form));
    await expectSame([path], { exclude: ["name", "huge"] });
    await expectSame([path], { features: ["l", "a", "f"] });
    expect((await direct([path], { exclude: ["name", "huge"] }))?.notes).toEqual([
      '1 feature is the same in every sample: "same"',
    ]);
  },
);

it("reads labels, names and weights beside, and several files of several batches in their order", async () => {
  const halves = [table.slice(0, 1000), table.slice(1000)];
  const batches = new Table(halves.flatMap(({ batches }) => batches));
  expect(batches.batches.length).toBe(2);
  const paths = [
    folder.put("1.arrow", tableToIPC(batches, "file")),
    folder.put("2.arrow", tableToIPC(table, "stream")),
  ];
  await expectSame(paths, { label: "b", id: "name", weight: "h", features: ["g", "d"] });
});

it.each(["plain.feather", "lz4.feather", "stream.arrow", ...("zstdDecompressSync" in zlib ? ["zstd.feather"] : [])])(
  "reads pyarrow's %s",
  (name) => expectSame([folder.put(name, foreign(name))], { exclude: ["flag"], label: "class" }),
);

it("leaves to tables what is not plain, missing, unknown or damaged", async () => {
  const path = folder.put("plain.arrow", tableToIPC(table, "file"));
  expect(await direct([path])).toBeNull();
  // Beyond 2⁵³ JavaScript would round twice.
  expect(await direct([path], { features: ["huge"] })).toBeNull();
  expect(await direct([path], { features: ["f"], missing: "mean" })).toBeNull();
  expect(await direct([path], { features: ["f"], label: "nobody" })).toBeNull();
  const gaps = new Table({ a: vectorFromArray([1, null, 3]) });
  expect(await direct([folder.put("gaps.arrow", tableToIPC(gaps, "file"))])).toBeNull();
  const bad = tableFromArrays({ a: Float32Array.of(1, Number.NaN) });
  expect(await direct([folder.put("nan.arrow", tableToIPC(bad, "file"))])).toBeNull();
  const bytes = tableToIPC(table, "file");
  const cut = folder.put("cut.arrow", bytes.subarray(0, bytes.length / 2));
  expect(await direct([cut], { features: ["f"] })).toBeNull();
  const packed = folder.put("packed.arrow", zlib.gzipSync(bytes));
  expect(await direct([packed], { features: ["f"] })).toEqual(await direct([path], { features: ["f"] }));
});
