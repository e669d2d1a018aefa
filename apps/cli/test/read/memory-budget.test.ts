import { crc32, deflateSync, gzipSync } from "node:zlib";
import { MemoryError } from "bonmf";
import { describe, expect, it } from "vitest";
import { zip } from "../../../../packages/data/test/fixtures/zip.js";
import { Duck, quoteText } from "../../src/read/duckdb/duck.js";
import { findBudget, MOST_SAMPLES, OverBudget } from "../../src/read/memory-budget.js";
import { readData, readParts } from "../../src/read/read.js";
import { failure, makeFolder, rowsOf } from "./fixture.js";

const folder = makeFolder();
const MB = 2 ** 20;
const LEAST = 512 * MB;

/** A PNG file that claims pixels and has none. */
function claimPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  const data = chunk("IDAT", deflateSync(Buffer.alloc(0)));
  return Buffer.concat([signature, chunk("IHDR", head), data, chunk("IEND", Buffer.alloc(0))]);
}

/** An NPY file of bytes that are all 0. */
function zerosNpy(shape: readonly number[], values: number): Buffer {
  const text = `{'descr': '|u1', 'fortran_order': False, 'shape': (${shape.join(", ")}), }`.padEnd(117);
  return Buffer.concat([
    Buffer.from("\x93NUMPY\x01\x00\x76\x00", "latin1"),
    Buffer.from(`${text}\n`),
    Buffer.alloc(values),
  ]);
}

/** An Excel file with one cell far out. */
function claimSheet(cell: string): Uint8Array {
  const xml = (text: string) => Buffer.from(`<?xml version="1.0"?>${text}`);
  const sheet = `<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c><c r="${cell}"><v>2</v></c></row></sheetData></worksheet>`;
  return zip([
    { name: "[Content_Types].xml", content: xml("<Types/>"), deflate: true },
    { name: "xl/workbook.xml", content: xml("<workbook/>"), deflate: true },
    { name: "xl/worksheets/sheet1.xml", content: xml(sheet), deflate: true },
  ]);
}

/** What the reader wanted to allocate, and for which claim. */
async function refused(path: string, maxBytes?: number) {
  const error = await failure(readData([path], { maxBytes }));
  expect(error).toBeInstanceOf(OverBudget);
  const { cause } = error as unknown as { cause: MemoryError };
  expect(cause).toBeInstanceOf(MemoryError);
  return {
    claim: cause.claim.replace(folder.path, ""),
    needed: cause.needed,
    allowed: cause.allowed,
    hint: error.hint,
  };
}

describe("the budget of files", () => {
  it("is what the user allows, else 256 times their size within the free memory", async () => {
    const file = { path: "x", name: "x", size: 4 * MB };
    expect(await findBudget([file], { maxBytes: 7 })).toBe(7);
    expect(await findBudget([file], {})).toBe(1024 * MB);
    expect(await findBudget([{ ...file, size: 60 }], {})).toBe(LEAST);
    const most = await findBudget([{ ...file, size: 2 ** 50 }], {});
    expect(most).toBeLessThan(MOST_SAMPLES * process.availableMemory() * 1.5);
    expect(await findBudget([file], { sql: "select 1" })).toBeGreaterThan(0);
  });
});

describe("a small file that claims much", () => {
  it("as a picture", async () => {
    const path = folder.put("wide.png", claimPng(16_770_000, 16));
    expect(await refused(path)).toEqual({
      claim: "/wide.png claims 16770000 × 16 pixels, for which it takes 5.4 GB of memory: 537 MB are allowed",
      needed: 16_770_000 * (4 * 16 + 256),
      allowed: LEAST,
      hint: "if that is right, allow it with --memory 8GB",
    });
  });

  it("as one picture of a folder of larger ones", async () => {
    folder.put("pictures/a.pgm", Buffer.concat([Buffer.from("P5 1024 4096 255\n"), Buffer.alloc(4 * MB)]));
    folder.put("pictures/b.png", claimPng(16_770_000, 16));
    expect(await refused(`${folder.path}/pictures`)).toMatchObject({ allowed: LEAST });
  });

  it("as pictures brought to a large size", async () => {
    const path = folder.put("dot.pgm", "P2\n1 1\n255\n7\n");
    const size = { width: 9999, height: 9999 };
    const error = await failure(readData([path, path], { size }));
    expect(error.message).toContain("at 9999 × 9999 pixels make 2 samples of 99980001 features");
  });

  it.each([
    ["huge.mtx", "%%MatrixMarket matrix coordinate real general\n268435456 3 1\n1 1 5\n", "268435456 × 3 values"],
    ["wide.mtx", "%%MatrixMarket matrix coordinate real general\n2 400000000 1\n1 1 5\n", "400000000 features"],
    ["wide.svm", "1 1:1 2:3\n2 100000000:1\n", "100000000 features"],
    ["none.npy", zerosNpy([1e12, 0], 0), "1000000000000 × 0 values"],
    ["far.xlsx", claimSheet("XFD1048576"), "a sheet of 1048576 × 16384 cells"],
    ["low.xlsx", claimSheet("A99999999999"), "a sheet of 99999999999 × 1 cells"],
  ])("as %s", async (name, content, claim) => {
    const found = await refused(folder.put(name, content));
    expect(found.claim).toContain(`/${name} claims ${claim}`);
    expect(found.allowed).toBe(LEAST);
  });

  it("as rows of an NPY file read in parts", async () => {
    const path = folder.put("cut.npy", zerosNpy([3, 2e9], 6));
    const parts = async () => {
      for await (const _ of readParts([path], {}, 2048));
    };
    expect((await failure(parts())).message).toContain("the file is cut short or damaged");
  });
});

describe("a file that unpacks to much", () => {
  const zeros = "0,1,0,1\n1,0,1,0\n".repeat(25_000);

  it.each([
    ["rows.csv.gz", gzipSync(`a,b,c,d\n${zeros}`), "rows or more, which make as many samples of 4 features"],
    ["table.zip", zip([{ name: "t.csv", content: Buffer.from(zeros), deflate: true }]), "unpacks to 400000 bytes"],
    ["array.npy.gz", gzipSync(zerosNpy([1000, 400], 400_000)), "unpacks to 4"],
    ["array.npz", zip([{ name: "X.npy", content: zerosNpy([1000, 400], 400_000), deflate: true }]), '"X.npy" claims 4'],
    ["line.svm.gz", gzipSync(`1 1:1\n2 2:1\n1 3:${"0".repeat(400_000)}1\n`), "unpacks to 4"],
  ])("as %s", async (name, content, claim) => {
    expect(content.length).toBeLessThan(4000);
    const path = folder.put(name, content);
    const found = await refused(path, 300_000);
    expect(found.claim).toContain(claim);
    expect(found.needed).toBeGreaterThan(300_000);
    await readData([path], {});
  });

  it("as a line of a LIBSVM file read in parts", async () => {
    const path = folder.put("long.svm.gz", gzipSync(`1 1:1\n2 2:1\n1 3:${"0".repeat(3 * MB)}1\n`));
    const parts = async () => {
      for await (const _ of readParts([path], { maxBytes: 300_000 }, 2));
    };
    expect((await failure(parts())).message).toMatch(/has \d+ bytes in 1 line/);
  });

  it("as Parquet, by the rows that its metadata claim", async () => {
    const path = `${folder.path}/runs.parquet`;
    const duck = await Duck.open();
    await duck.run(
      `copy (select (i % 2)::float a, (i % 3)::float b from range(100000) t(i)) to ${quoteText(path)} (format parquet)`,
    );
    duck.close();
    expect(await refused(path, 300_000)).toMatchObject({ needed: 800_000, allowed: 300_000 });
    expect((await readData([path], { maxBytes: MB })).X.samples).toBe(100_000);
  });
});

it("a file within its budget is read as before, and parts of one beyond it", async () => {
  const path = folder.put("plain.csv", `a,b\n${"1,2\n3,4\n".repeat(20_000)}`);
  expect(await refused(path, 200_000)).toMatchObject({ needed: expect.any(Number), allowed: 200_000 });
  expect((await readData([path], { maxBytes: MB })).X.samples).toBe(40_000);
  let count = 0;
  for await (const { X } of readParts([path], { maxBytes: 200_000 }, 1000)) {
    count += X.samples;
    expect(rowsOf(X.slice(0, 2))).toEqual([
      [1, 2],
      [3, 4],
    ]);
  }
  expect(count).toBe(40_000);
});
