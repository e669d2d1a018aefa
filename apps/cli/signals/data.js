// Large files of every kind, made when a job first needs one.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { makeNpy, makeZip } from "../../../fuzz/containers.js";

const ROWS = 400_000;
const COLUMNS = Array.from({ length: 50 }, (_, c) => `round(((i * ${7919 + 2 * c}) % 10007) / 1000, 3) as x${c}`).join(
  ", ",
);
const NUMBERS = `select ${COLUMNS} from range(${ROWS}) t(i)`;
const OTHERS = `select * from (${NUMBERS}) where x0 > 0.01`;
const FEW_NUMBERS = `select x0, x1, x2, x3, x4, x5, x6, x7, x8, x9 from (${NUMBERS})`;
/** Missing values, categories and classes. */
const MIXED = `select case when i % 9 > 0 then (i * 31) % 977 end as a, (i * 17) % 89 / 8 as b, 'kind ' || i % 40 as kind, 'c' || i % 7 as class,
  'the ' || (i * 31) % 5003 || ' quick brown foxes jump over ' || (i * 7) % 977 || ' lazy dogs' as words from range(${2 * ROWS}) t(i)`;
const BLOBS = `select 'c' || i % 9 as class, ${Array.from({ length: 40 }, (_, c) => `(hash(i % 9, ${c}) % 90 + hash(i, ${c}) % 60) / 10.0 as x${c}`).join(", ")} from range(20000) t(i)`;

async function query(folder, name, select, options) {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`copy (${select}) to '${join(folder, name)}' (${options})`);
  connection.closeSync();
  instance.closeSync();
}

const repeat = (line, bytes) =>
  Buffer.alloc(Math.floor(bytes / line.length) * line.length, line.length === 0 ? " " : line);
const MB = 2 ** 20;

/** What Excel writes, without styles. */
function makeWorkbook(rows, columns) {
  const letters = Array.from({ length: columns }, (_, c) => String.fromCharCode(65 + c));
  const head = letters.map((letter) => `<c r="${letter}1" t="inlineStr"><is><t>${letter}</t></is></c>`).join("");
  const lines = Array.from({ length: rows }, (_, i) => {
    const cells = letters.map((letter, c) => `<c r="${letter}${i + 2}"><v>${((i * 7 + c * 5) % 977) / 8}</v></c>`);
    return `<row r="${i + 2}">${cells.join("")}</row>`;
  });
  const sheet = `<worksheet><sheetData><row r="1">${head}</row>${lines.join("")}</sheetData></worksheet>`;
  const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const book = `<workbook xmlns:r="${relations}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`;
  const links = `<Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/>`;
  const pack = (name, text) => [name, Buffer.from(text), deflateRawSync(text, { level: 1 })];
  return makeZip([
    pack("[Content_Types].xml", '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
    pack("xl/workbook.xml", book),
    pack("xl/_rels/workbook.xml.rels", `<Relationships>${links}</Relationships>`),
    pack("xl/worksheets/sheet1.xml", sheet),
  ]);
}

async function makeArrow(folder, name, table) {
  const { tableFromArrays, tableToIPC } = await import("apache-arrow");
  writeFileSync(join(folder, name), tableToIPC(tableFromArrays(table()), "file"));
}

async function makePictures(folder, name) {
  const { default: sharp } = await import("sharp");
  mkdirSync(join(folder, name));
  const draw = (width, height, seed) =>
    sharp(Buffer.from(Uint8Array.from({ length: width * height }, (_, p) => (p * seed + (p >> 7)) % 251)), {
      raw: { width, height, channels: 1 },
    });
  const small = await Promise.all(
    Array.from({ length: 16 }, (_, i) =>
      draw(128, 128, i + 3)
        .png()
        .toBuffer(),
    ),
  );
  for (let i = 0; i < 6000; i++) writeFileSync(join(folder, name, `p${i}.png`), small[i % small.length]);
  const large = await draw(7000, 7000, 5).png({ compressionLevel: 1 }).toBuffer();
  for (let i = 0; i < 4; i++) writeFileSync(join(folder, name, `z${i}.png`), large);
  writeFileSync(
    join(folder, name, "zz.pgm"),
    Buffer.concat([Buffer.from("P2 4000 4000 255\n"), repeat("17 ", 48 * MB)]),
  );
}

async function makeSqlite(folder, name) {
  const { default: sqlite } = await import("node-sqlite3-wasm");
  const database = new sqlite.Database(join(folder, name));
  database.exec("create table t (a real, b real, c integer, d text)");
  database.exec(
    "insert into t with recursive n(i) as (select 0 union all select i + 1 from n where i < 1200000) select i * 0.5, i % 97 / 8.0, i % 11, 'text ' || i % 5 from n",
  );
  database.close();
}

const put = (make) => (folder, name) => writeFileSync(join(folder, name), make(folder));

/** @type {Record<string, (folder: string, name: string) => unknown>} */
const MAKERS = {
  "numbers.csv": (folder, name) => query(folder, name, NUMBERS, "header"),
  "numbers.csv.gz": (folder, name) => query(folder, name, NUMBERS, "header, compression gzip"),
  "numbers.parquet": (folder, name) => query(folder, name, NUMBERS, "format parquet"),
  "others.parquet": (folder, name) => query(folder, name, OTHERS, "format parquet"),
  "numbers.jsonl": (folder, name) => query(folder, name, FEW_NUMBERS, "format json"),
  "mixed.csv": (folder, name) => query(folder, name, MIXED, "header"),
  "mixed.parquet": (folder, name) => query(folder, name, MIXED, "format parquet"),
  "blobs.csv": (folder, name) => query(folder, name, BLOBS, "header"),
  "numbers.zip": put((folder) => {
    const content = readFileSync(join(folder, "numbers.csv"));
    return makeZip([["numbers.csv", content, deflateRawSync(content, { level: 1 })]]);
  }),
  "numbers.xlsx": put(() => makeWorkbook(100_000, 15)),
  "numbers.arrow": (folder, name) =>
    makeArrow(folder, name, () =>
      Object.fromEntries(
        Array.from({ length: 20 }, (_, c) => [
          `x${c}`,
          Float64Array.from({ length: 800_000 }, (_, i) => (i * (c + 3)) % 977),
        ]),
      ),
    ),
  "mixed.arrow": (folder, name) =>
    makeArrow(folder, name, () => ({
      a: Float64Array.from({ length: 1_500_000 }, (_, i) => i % 977),
      b: Array.from({ length: 1_500_000 }, (_, i) => (i % 9 === 0 ? null : i % 7)),
      kind: Array.from({ length: 1_500_000 }, (_, i) => `kind ${i % 40}`),
    })),
  pictures: makePictures,
  "lines.txt": put(() =>
    Array.from(
      { length: 600_000 },
      (_, i) => `the ${(i * 31) % 20011} quick brown foxes of ${(i * 7) % 977} jump over dogs w${i % 3001}\n`,
    ).join(""),
  ),
  "numbers.svm": put(() => repeat("1 1:0.25 2:0.5 3:1e-3 7:123.456\n", 160 * MB)),
  "numbers.mtx": put(() =>
    Buffer.concat([
      Buffer.from("%%MatrixMarket matrix array real general\n1000000 20\n"),
      repeat("0.123\n7.25\n", 11 * 10_000_000),
    ]),
  ),
  "numbers.arff": put(() =>
    Buffer.concat([
      Buffer.from("@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n"),
      repeat("0.123456,x\n3.5,y\n", 60 * MB),
    ]),
  ),
  "numbers.npy": put(() => makeNpy(600_000, 50)),
  "numbers.npz": put(() => makeZip([["X.npy", makeNpy(400_000, 50)]])),
  "numbers.sqlite": makeSqlite,
};

/** Files that others are made of. */
const PARENTS = new Map([["numbers.zip", "numbers.csv"]]);

export async function makeFile(folder, name) {
  if (existsSync(join(folder, name))) return;
  const parent = PARENTS.get(name);
  if (parent) await makeFile(folder, parent);
  await MAKERS[name](folder, name);
}

export function removeFile(folder, name) {
  rmSync(join(folder, name), { recursive: true, force: true });
}
