// How fast tables are read into a matrix, against DuckDB summing the same columns (which touches every value and keeps
// none), and in how much memory. Both use all cores. "touch" is what it takes one thread to write a byte into each page
// of as much new memory as the matrix has: no reader can do without, and a sum need not.
//   node apps/cli/bench/read.js [megabytes of matrix, 300] [columns, 64] [only files whose name has this]
// Build first: npm run build

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { readData } from "../dist/read/read.js";

const RUNS = 7;
const TASKS = { scan, read, touch };
const [task, ...rest] = process.argv.slice(2);

if (Object.hasOwn(TASKS, task ?? "")) {
  const start = performance.now();
  const before = process.cpuUsage();
  const check = await TASKS[task](rest[0]);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  const peak = (process.resourceUsage().maxRSS * 1024) / 1e6;
  console.log(JSON.stringify({ seconds, check, peak, cpu: (user + system) / 1e6 }));
} else await compare(Number(task ?? 300), Number(rest[0] ?? 64), rest[1] ?? "");

async function scan(path) {
  const connection = await (await DuckDBInstance.create()).connect();
  const [sums] = (await connection.runAndReadAll(`select sum(columns(*)) from '${path}'`)).getRows();
  return sums.reduce((total, sum) => total + Number(sum), 0);
}

async function read(path) {
  const { X } = await readData([path], {});
  return X.data.length;
}

function touch(megabytes) {
  const bytes = new Uint8Array(Number(megabytes) * 1e6);
  for (let at = 0; at < bytes.length; at += 4096) bytes[at] = 1;
  return bytes.length;
}

async function compare(megabytes, columns, only) {
  const folder = mkdtempSync(join(tmpdir(), "bonmf-bench-"));
  try {
    const rows = Math.round((megabytes * 1e6) / 4 / columns);
    console.log(`${rows} rows × ${columns} columns, matrix ${megabytes} MB, medians of ${RUNS} runs by turns`);
    for (const [name, values] of [
      ["integers", "(random() * 255)::integer"],
      ["decimals", "round(random() * 100, 2)::float"],
      ["floats", "random()::float"],
    ]) {
      for (const ending of ["csv", "parquet"]) {
        const path = join(folder, `${name}.${ending}`);
        if (!`${name}.${ending}`.includes(only)) continue;
        await generate(path, values, rows, columns);
        report(`${name}.${ending}`, path, megabytes);
        rmSync(path);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function generate(path, values, rows, columns) {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const list = Array.from({ length: columns }, (_, c) => `${values} as c${c}`).join(", ");
  await connection.run(`copy (select ${list} from range(${rows})) to '${path}'`);
  connection.closeSync();
  instance.closeSync();
}

function report(name, path, megabytes) {
  const size = statSync(path).size / 1e6;
  // By turns, so that all meet the same moods of the machine.
  const runs = Array.from({ length: RUNS }, () => ({
    scan: measure("scan", path),
    read: measure("read", path),
    touch: measure("touch", megabytes),
  }));
  const middle = (pick) => runs.map(pick).sort((a, b) => a - b)[(RUNS - 1) / 2];
  const show = (what) =>
    `${what} ${middle((run) => run[what].seconds).toFixed(2)} s (cpu ${middle((run) => run[what].cpu).toFixed(2)})`;
  const speed = 100 * middle(({ scan, read }) => scan.seconds / read.seconds);
  const peak = Math.max(...runs.map(({ read }) => read.peak));
  console.log(
    `${name.padEnd(17)} ${size.toFixed(0).padStart(5)} MB  ${show("scan")}  ${show("read")}  ${show("touch")}  ` +
      `speed ${speed.toFixed(0)} %  peak ${peak.toFixed(0)} MB of ${(1.3 * megabytes + 300).toFixed(0)}`,
  );
}

function measure(task, path) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), task, path]);
  if (status !== 0) throw new Error(String(stderr));
  return JSON.parse(String(stdout));
}
