import * as zlib from "node:zlib";
import { tableFromArrays, tableFromIPC, tableToIPC } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { decodeLz4 } from "../../../src/read/formats/lz4.js";
import { readData, readParts } from "../../../src/read/read.js";
import { failure, foreign, makeFolder, rowsOf } from "../fixture.js";

const folder = makeFolder();
const rows = Array.from({ length: 40 }, (_, i) => [i % 5, 7 * i, i % 2 === 0 ? 1 : 0]);

describe("Arrow as pyarrow writes it", () => {
  it.each(["plain.feather", "lz4.feather", "stream.arrow"])("%s", async (name) => {
    const path = folder.put(name, foreign(name));
    const data = await readData([path], { label: "class" });
    expect(data).toMatchObject({ kind: "arrow", features: ["width", "count", "flag"], recipe: { kind: "arrow" } });
    expect(data.labels?.slice(0, 4)).toEqual(["coffee", "tea", "tea", "coffee"]);
    expect(rowsOf(data.X)).toEqual(rows);
  });

  it("with ZSTD is read where Node can, and else says what to do", async () => {
    const reading = readData([folder.put("zstd.feather", foreign("zstd.feather"))], { label: "class" });
    if ("zstdDecompressSync" in zlib) expect(rowsOf((await reading).X)).toEqual(rows);
    else {
      expect(await failure(reading)).toMatchObject({
        name: "UserError",
        hint: 'write it with compression="lz4" or "uncompressed", or as Parquet',
      });
    }
  });
});

describe("Arrow", () => {
  const table = tableFromArrays({
    a: Float32Array.of(1.5, 2, 3),
    'b "c"': Int32Array.of(4, 5, 6),
    day: [new Date(0), new Date(1), new Date(2)],
    kind: ["x", "y", "x"],
  });
  const path = folder.put("a.arrow", tableToIPC(table, "file"));

  it("follows the rules for columns", async () => {
    const data = await readData([path], { exclude: ["day"], oneHot: ["kind"] });
    expect(data.features).toEqual(["a", 'b "c"', "kind=x", "kind=y"]);
    expect(rowsOf(data.X)).toEqual([
      [1.5, 4, 1, 0],
      [2, 5, 0, 1],
      [3, 6, 1, 0],
    ]);
  });

  it("is called by its own name in errors, and comes in parts", async () => {
    const error = await failure(readData([path], { strict: true }));
    expect(error.name).toBe("UserError");
    expect(error.message).toContain(path);
    expect(error.message).toContain('"day"');
    const sizes = [];
    for await (const { X } of readParts([path], { features: ["a"] }, 2)) sizes.push(X.samples);
    expect(sizes).toEqual([2, 1]);
  });

  it("that is cut short says so", async () => {
    const bytes = tableToIPC(table, "file");
    for (const part of [10, 100, bytes.length - 300]) {
      const cut = folder.put(`cut${part}.arrow`, bytes.subarray(0, part));
      const error = await failure(readData([cut], { features: ["a"] }));
      expect(error).toMatchObject({ name: "UserError" });
      expect(error.message).toMatch(new RegExp(`^${cut}( cannot be read as an Arrow file| has no columns)`));
    }
  });
});

describe("LZ4 frames", () => {
  /** Magic, version 1 with independent blocks, 64 KB, header checksum; then the blocks. */
  const frame = (...blocks: number[][]) =>
    Uint8Array.of(4, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82, ...blocks.flatMap((block) => [...block]), 0, 0, 0, 0);
  const block = (...bytes: number[]) => [bytes.length, 0, 0, 0, ...bytes];

  it("hold literals, matches that reach into themselves, and plain blocks", () => {
    // 2 literals "ab", then 4 + 3 bytes from 2 back; at last 1 literal.
    expect(Buffer.from(decodeLz4(frame(block(0x23, 97, 98, 2, 0, 0x10, 33)))).toString()).toBe("ababababa!");
    expect(Buffer.from(decodeLz4(frame([2, 0, 0, 0x80, 104, 105]))).toString()).toBe("hi");
    // 15 + 5 literals.
    expect(decodeLz4(frame(block(0xf0, 5, ...Array(20).fill(7))))).toEqual(new Uint8Array(20).fill(7));
  });

  it.each([
    ["no frame", Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)],
    ["no end", frame(block(0x10, 33)).subarray(0, -4)],
    ["a block that is cut", frame([9, 0, 0, 0, 0x10, 33])],
    ["a match before the beginning", frame(block(0x10, 33, 5, 0, 0x10, 33))],
    ["a match of distance 0", frame(block(0x10, 33, 0, 0, 0x10, 33))],
    ["literals that are cut", frame(block(0x50, 33))],
  ])("are refused with %s", (_, bytes) => expect(() => decodeLz4(bytes)).toThrow("damaged or cut short"));
});

it("the fixture in LZ4 is really compressed", () => {
  const plain = tableFromIPC(foreign("plain.feather"));
  expect(plain.numRows).toBe(40);
  expect(foreign("lz4.feather").includes(Buffer.of(4, 0x22, 0x4d, 0x18))).toBe(true);
});
