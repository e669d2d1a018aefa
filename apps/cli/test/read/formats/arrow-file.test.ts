import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Field, FixedSizeList, Float32, List, makeVector, Table, tableToIPC, vectorFromArray } from "apache-arrow";
import { checkArrow } from "bonmf/io";
import { describe, expect, it } from "vitest";
import { budget, isThorough } from "../../../../../packages/bonmf/test/budget.js";
import { readData } from "../../../src/read/read.js";
import { failure, foreign, makeFolder } from "../fixture.js";

const folder = makeFolder();
const script = fileURLToPath(new URL("flips.js", import.meta.url));

const float = new Field("item", new Float32());
const files = new Map<string, Uint8Array>([
  ["plain.arrow", tableToIPC(new Table({ a: makeVector(Float32Array.of(1, 2, 3)) }), "file")],
  ["texts.arrow", tableToIPC(new Table({ a: vectorFromArray(["x", "y", null]) }), "file")],
  ["lists.arrow", tableToIPC(new Table({ a: vectorFromArray([[1, 2], [3]], new List(float)) }), "stream")],
  [
    "pairs.arrow",
    tableToIPC(
      new Table({
        a: vectorFromArray(
          [
            [1, 2],
            [3, 4],
          ],
          new FixedSizeList(2, float),
        ),
      }),
      "file",
    ),
  ],
  ...["lz4.feather", "zstd.feather", "stream.arrow"].map((name) => [name, foreign(name)] as const),
]);

const check = (bytes: Uint8Array) =>
  checkArrow({ size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) });

describe("every bit of an Arrow file changed in turn", () => {
  const names = isThorough ? [...files.keys()] : ["plain.arrow", "lists.arrow"];

  it.each(names)("%s: it is read or refused, soon and in little memory", { timeout: 600_000 }, (name) => {
    const path = folder.put(name, files.get(name) ?? "");
    const args = [script, path, "0", String(budget(13, 1))];
    const { stdout, stderr } = spawnSync(process.execPath, args, { timeout: 300_000, encoding: "utf8" });
    expect(stderr).toBe("");
    const { read, refused, slow, faults, megabytes } = JSON.parse(stdout);
    expect({ slow, faults }).toEqual({ slow: [], faults: [] });
    expect(read).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
    expect(megabytes).toBeLessThan(400);
  });
});

describe("an Arrow file", () => {
  it.each([...files.keys()])("%s is fine, and short of any byte at its end it is not", (name) => {
    const bytes = files.get(name) ?? new Uint8Array();
    expect(check(bytes)).toBeGreaterThan(1);
    // A stream may end after a batch, or without its end mark.
    const end = name === "stream.arrow" || name === "lists.arrow" ? 9 : 1;
    for (let length = 0; length <= bytes.length - end; length += 7) {
      expect(() => check(bytes.subarray(0, length)), `${length} bytes`).toThrow();
    }
  });

  it("that claims more rows than it has bytes is refused by its name", async () => {
    const bytes = Uint8Array.from(files.get("plain.arrow") ?? []);
    // The first number 3 of 64 bits in a message is the length of a batch.
    const view = new DataView(bytes.buffer);
    for (let at = 0; at + 8 <= bytes.length; at += 4) {
      if (view.getBigInt64(at, true) === 3n) view.setBigInt64(at, 3_000_000_000n, true);
    }
    expect(() => check(bytes)).toThrow("a column claims 3000000000 values");
    const path = folder.put("claims.arrow", bytes);
    expect(await failure(readData([path], {}))).toMatchObject({
      name: "UserError",
      message: `${path} cannot be read as an Arrow file: it is cut short or damaged`,
    });
  });

  it("whose column has fewer values than its batch has rows, or other missing ones than it claims, is refused", async () => {
    const bytes = Uint8Array.from(tableToIPC(new Table({ a: vectorFromArray([1.5, null, 3]) }), "stream"));
    const view = new DataView(bytes.buffer);
    const places: number[] = [];
    for (let at = 0; at + 8 <= bytes.length; at += 4) if (view.getBigInt64(at, true) === 3n) places.push(at);
    // The rows of the batch, and the values of its column with how many of them are missing.
    const node = places.find((at) => view.getBigInt64(at + 8, true) === 1n) ?? 0;
    const missing = Uint8Array.from(bytes);
    new DataView(missing.buffer).setBigInt64(node + 8, 2n, true);
    expect(await failure(readData([folder.put("missing.arrow", missing)], {}))).toMatchObject({
      message: expect.stringContaining("it is cut short or damaged"),
    });
    view.setBigInt64(node, 2n, true);
    expect(() => check(bytes)).toThrow("a column has 2 of 3 values");
  });
});
