import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync, gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashText } from "../../src/datasets/build.js";
import { DATASETS, lookUp } from "../../src/datasets/catalogue.js";
import { findDataset } from "../../src/datasets/find.js";
import { getDataset } from "../../src/datasets/get.js";
import { type Server, startServer } from "./server.js";

const data = process.env.BONMF_DATA_DIR ?? "";
const title = "with real files (need BONMF_DATA_DIR)";
const textOf = (path: string) => gunzipSync(readFileSync(join(data, path))).toString();

let folder: string;
let server: Server;
let env: Record<string, string>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bonmf-get-"));
  env = { BONMF_DATA_DIR: folder, XDG_CACHE_HOME: join(folder, "cache"), HOME: folder };
  server = await startServer();
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** The server has every address under its host and path. */
function locate(url: string): string {
  const { host, pathname } = new URL(url);
  return `${server.url}/${host}${pathname}`;
}

function serve(url: string, content: Uint8Array | string): void {
  const { host, pathname } = new URL(url);
  server.serve(`/${host}${decodeURIComponent(pathname)}`, content);
}

const get = (name: string) => getDataset(name, { env, locate, pause: 1 });

function rowsOf(path: string): string[][] {
  const lines = textOf(path).trim().split("\n");
  return lines.slice(1).map((line) => line.split(","));
}

/** What the first address of each part of a file serves, made from the file that the catalogue describes. */
const originals: Record<string, () => (string | Uint8Array)[]> = {
  orl: () => [matFile("faces", [4096, 400], pixelsOf("orl/orl.csv.gz", 64))],
  optdigits: () => splitRows("optdigits/optdigits.csv.gz", 3823, (row) => row.join(",")),
  pendigits: () => splitRows("pendigits/pendigits.csv.gz", 7494, (row) => row.map((v) => v.padStart(3)).join(",")),
  "monks-1": () =>
    splitRows("monkey/monks-1.csv.gz", 124, (row, i) => ` ${row[6]} ${row.slice(0, 6).join(" ")} data_${i} `),
  diabetes: () => [
    rowsOf("diabetes/diabetes.csv.gz")
      .map((row) => `${row.join(",")}\r\n`)
      .join(""),
  ],
  banking: () => [
    `age,x\n${rowsOf("banking/banking.csv.gz")
      .map((row) => row.join(","))
      .join("\n")}`,
  ],
  phishing: () => [
    textOf("phishing/phishing.svm.gz").replaceAll("\n", " \n"),
    arff(rowsOf("phishing/phishing-uci.csv.gz")),
  ],
  letter: () => [arff(rowsOf("letter/letter.csv.gz"))],
  segment: () => [arff(rowsOf("segment/segment.csv.gz"))],
  w8a: () => [textOf("w8a/w8a.svm.gz").replaceAll("\n", " \n")],
  mnist10k: () => idxFiles("mnist10k/mnist10k.csv.gz"),
  usps: () => [matFile("data", [256, 1100, 10], pixelsOf("usps/usps.csv.gz", 16))],
  bbc: () => [
    docs("bbc/bbc-docs.csv.gz")
      .map(([text, label]) => `${text}\ttrain\t${label}\n`)
      .join(""),
  ],
  r8: () => {
    const all = docs("r8/r8-docs.csv.gz");
    // Words that are too short, or that too few documents have, are left out.
    const texts = all.map(([text], i) => `${text} x ${i < 4 ? "rareword" : ""} 12\n`);
    return [all.map(([, label], i) => `${i}\ttrain\t${label}\n`).join(""), texts.join("")];
  },
};

function splitRows(path: string, first: number, line: (row: string[], i: number) => string): string[] {
  const lines = rowsOf(path).map((row, i) => `${line(row, i)}\n`);
  return [lines.slice(0, first).join(""), lines.slice(first).join("")];
}

function arff(rows: string[][]): string {
  return `% a comment\n@relation 'x'\n@attribute a numeric\n@DATA\n% more\n${rows.map((row) => row.join(", ")).join("\n")}\n`;
}

function docs(path: string): string[][] {
  return rowsOf(path).map((row) => [row[0], row[1]]);
}

function pixelsOf(path: string, side: number): Uint8Array {
  const rows = rowsOf(path);
  const out = new Uint8Array(rows.length * side * side);
  rows.forEach((row, i) => {
    for (let p = 0; p < side * side; p++)
      out[i * side * side + (p % side) * side + Math.floor(p / side)] = Number(row[p]);
  });
  return out;
}

/** A MATLAB 5 file with one compressed variable of bytes, after one of another name. */
function matFile(name: string, dims: number[], values: Uint8Array): Buffer {
  const element = (type: number, body: Uint8Array) => {
    const tag = Buffer.alloc(8);
    tag.writeUInt32LE(type, 0);
    tag.writeUInt32LE(body.length, 4);
    return Buffer.concat([tag, body, Buffer.alloc((8 - (body.length % 8)) % 8)]);
  };
  const small = (type: number, body: string) => {
    const out = Buffer.alloc(8);
    out.writeUInt32LE(type | (body.length << 16), 0);
    out.write(body, 4, "latin1");
    return out;
  };
  const int32 = (numbers: number[]) => new Uint8Array(Int32Array.from(numbers).buffer);
  const nameOf = (text: string) => (text.length <= 4 ? small(1, text) : element(1, Buffer.from(text)));
  const matrix = (text: string, size: number[], body: Uint8Array) =>
    element(14, Buffer.concat([element(6, int32([9, 0])), element(5, int32(size)), nameOf(text), element(2, body)]));
  const packed = deflateSync(matrix(name, dims, values));
  const tag = Buffer.alloc(8);
  tag.writeUInt32LE(15, 0);
  tag.writeUInt32LE(packed.length, 4);
  const header = Buffer.alloc(128, " ");
  header.write("IM", 126, "latin1");
  return Buffer.concat([header, matrix("other", [1, 3], Uint8Array.of(1, 2, 3)), tag, packed]);
}

function idxFiles(path: string): Buffer[] {
  const rows = rowsOf(path);
  const header = (...sizes: number[]) => {
    const out = Buffer.alloc(4 + 4 * sizes.length);
    for (const [i, value] of [0x0800 + sizes.length, ...sizes].entries()) out.writeUInt32BE(value, 4 * i);
    return out;
  };
  const pixels = Uint8Array.from(rows.flatMap((row) => row.slice(0, -1).map(Number)));
  const labels = Uint8Array.from(rows.map((row) => Number(row.at(-1))));
  return [Buffer.concat([header(rows.length, 28, 28), pixels]), Buffer.concat([header(rows.length), labels])];
}

function serveOriginals(name: string): void {
  const urls = [...new Set(lookUp(name).files.flatMap((file) => file.origin.parts.map((part) => part.urls[0])))];
  const contents = originals[name]();
  expect(contents).toHaveLength(urls.length);
  for (const [i, url] of urls.entries()) serve(url, contents[i]);
}

const names = Object.keys(originals).filter((name) => name !== "orl" && name !== "mnist10k");

describe.skipIf(process.env.BONMF_DATA_REAL !== "1")(`getDataset, ${title}`, () => {
  it.each(names)("makes %s to the byte from what its addresses serve", async (name) => {
    serveOriginals(name);
    const got = await get(name);
    expect(got).toHaveLength(lookUp(name).files.length);
    for (const { path, cached, verified } of got) {
      expect({ cached, verified }).toEqual({ cached: false, verified: "content" });
      expect(gunzipSync(await readFile(path)).toString()).toBe(textOf(path.slice(folder.length + 1)));
    }
    expect(await readdir(join(folder, ".downloads"))).toEqual([]);
  });

  it("refuses what has another checksum, at every address", async () => {
    const name = "orl";
    serveOriginals(name);
    await expect(get(name)).rejects.toThrow("the file is not the one expected: its sha256 is");
    expect(findDataset(name, env)).toBeNull();
  });

  it("is content with what is here, and asks nobody", async () => {
    serveOriginals("diabetes");
    await get("diabetes");
    server.log.length = 0;
    expect(await get("diabetes")).toMatchObject([{ cached: true, verified: "content" }]);
    expect(server.log).toEqual([]);
  });

  it("takes the second address when the first has gone", async () => {
    const [tra, tes] = originals.optdigits();
    const [first, second] = lookUp("optdigits").files[0].origin.parts;
    serve(first.urls[1], tra);
    serve(second.urls[1], tes);
    expect(await get("optdigits")).toMatchObject([{ verified: "content" }]);
  });

  it("takes OpenML when no address answers, and tells that only the shape is right", async () => {
    const rows = rowsOf("diabetes/diabetes.csv.gz").reverse();
    const file = arff(rows.map((row) => [...row.slice(0, -1), row[8] === "1" ? "tested_positive" : "tested_negative"]));
    serveOpenml(37, file, createHash("md5").update(file).digest("hex"));
    expect(await get("diabetes")).toMatchObject([{ verified: "shape" }]);
    const lines = gunzipSync(await readFile(findDataset("diabetes", env) ?? ""))
      .toString()
      .split("\n");
    expect(lines[0]).toBe("pregnancies,glucose,blood_pressure,skin_thickness,insulin,bmi,pedigree,age,class");
    expect(lines[1]).toMatch(/,tested_(negative|positive)$/);
  });

  it("refuses rows that are too few", async () => {
    serve(lookUp("w8a").files[0].origin.parts[0].urls[0], "+1 1:1\n-1 2:1\n");
    await expect(get("w8a")).rejects.toThrow("has 2 rows instead of 49749");
    expect(findDataset("w8a", env)).toBeNull();
  });

  it("tells the files of the data folder from others, and leaves those alone", async () => {
    await mkdir(join(folder, "diabetes"));
    const path = join(folder, "diabetes", "diabetes.csv.gz");
    await writeFile(path, gzipSync("a,class\n1,2\n"));
    await expect(get("diabetes")).rejects.toThrow("does not match the catalogue");
    expect(gunzipSync(await readFile(path)).toString()).toBe("a,class\n1,2\n");
  });

  it("describes the files that are here to the byte", () => {
    for (const entry of DATASETS.flatMap((dataset) => dataset.files)) {
      expect(hashText(textOf(entry.path)), entry.path).toBe(entry.sha256);
    }
  });

  it.each(["orl", "mnist10k"])("would make %s to the byte", async (name) => {
    const { build } = await import("../../src/datasets/build.js");
    const { origin, sha256 } = lookUp(name).files[0];
    const parts = originals[name]().map((part) => Buffer.from(part));
    expect(hashText(build(origin, parts))).toBe(sha256);
  });
});

function serveOpenml(id: number, file: string, md5: string): void {
  const url = `https://api.openml.org/data/v1/download/${id}/x.arff`;
  const about = { data_set_description: { id, format: "ARFF", url, md5_checksum: md5 } };
  serve(`https://www.openml.org/api/v1/json/data/${id}`, JSON.stringify(about));
  serve(url, file);
}

describe("getDataset from OpenML", () => {
  const file = "@relation x\n@attribute a numeric\n@data\n1\n";

  it("fetches by number and checks what OpenML says of it", async () => {
    serveOpenml(61, file, createHash("md5").update(file).digest("hex"));
    expect(await get("openml:61")).toMatchObject([{ cached: false, verified: "checksum" }]);
    expect(await readFile(findDataset("openml:61", env) ?? "", "utf8")).toBe(file);
    server.log.length = 0;
    expect(await get("openml:61")).toMatchObject([{ cached: true }]);
    expect(server.log).toEqual([]);
  });

  it("refuses a damaged file and a number that OpenML does not have", async () => {
    serveOpenml(61, file, "0".repeat(32));
    await expect(get("openml:61")).rejects.toThrow("its md5 is");
    await expect(get("openml:99")).rejects.toThrow("OpenML has no dataset 99");
    expect(findDataset("openml:61", env)).toBeNull();
  });
});

describe("getDataset", () => {
  it("says that there is no connection", async () => {
    await server.close();
    await expect(getDataset("optdigits", { env, pause: 1, locate })).rejects.toThrow(
      /cannot download from 127\.0\.0\.1/,
    );
  });
});
