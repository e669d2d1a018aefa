// How fast tables are read into a matrix, against DuckDB summing the same columns, and in how much memory.
//   node apps/cli/bench/read.js [megabytes of matrix, 300] [columns, 64]
// Build first: npx tsc -p apps/cli/tsconfig.json

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";

const RUNS = 5;
const [task, file] = process.argv.slice(2);

if (task === "scan" || task === "read") {
  const start = performance.now();
  const check = task === "scan" ? await scan(file) : await read(file);
  const seconds = (performance.now() - start) / 1000;
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  console.log(JSON.stringify({ seconds, check, peak: maxRSS / 1024, cpu: (userCPUTime + systemCPUTime) / 1e6 }));
} else await compare(Number(task ?? 300), Number(file ?? 64));

async function scan(path) {
  const connection = await (await DuckDBInstance.create()).connect();
  const [sums] = (await connection.runAndReadAll(`select sum(columns(*)) from '${path}'`)).getRows();
  return sums.reduce((total, sum) => total + Number(sum), 0);
}

async function read(path) {
  const { readTable } = await import("../dist/read/table.js");
  const { X } = await readTable([path], {});
  return X.data.length;
}

async function compare(megabytes, columns) {
  const folder = mkdtempSync(join(tmpdir(), "bonmf-bench-"));
  try {
    const rows = Math.round((megabytes * 1e6) / 4 / columns);
    console.log(`${rows} rows × ${columns} columns, matrix ${megabytes} MB, best of ${RUNS}`);
    for (const [name, values] of [
      ["integers", "(random() * 255)::integer"],
      ["decimals", "round(random() * 100, 2)::float"],
      ["floats", "random()::float"],
    ]) {
      for (const ending of ["csv", "parquet"]) {
        const path = join(folder, `${name}.${ending}`);
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
  const scans = [];
  const reads = [];
  // By turns, so that both meet the same moods of the machine.
  for (let run = 0; run < RUNS; run++) {
    scans.push(measure("scan", path));
    reads.push(measure("read", path));
  }
  const best = (list) => Math.min(...list.map(({ seconds }) => seconds));
  const cpu = (list) => Math.min(...list.map(({ cpu }) => cpu));
  const peak = Math.max(...reads.map(({ peak }) => peak)) * 1.048576;
  const rate = (seconds) => `${seconds.toFixed(2)} s, ${(size / seconds).toFixed(0)} MB/s`;
  console.log(
    `${name.padEnd(17)} ${size.toFixed(0).padStart(5)} MB  scan ${rate(best(scans))}  read ${rate(best(reads))}  ` +
      `speed ${((100 * best(scans)) / best(reads)).toFixed(0)} %  cpu ${cpu(scans).toFixed(2)} / ${cpu(reads).toFixed(2)} s  ` +
      `peak ${peak.toFixed(0)} MB of ${(1.3 * megabytes + 300).toFixed(0)}`,
  );
}

function measure(task, path) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), task, path]);
  if (status !== 0) throw new Error(String(stderr));
  return JSON.parse(String(stdout));
}
