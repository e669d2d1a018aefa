// The executors' script as Spark runs it: rows on stdin, rows on stdout, and a daemon between two tasks.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Dense, fit, saveModel } from "bonmf";
import { mergeStats, openShard, type Stats, type Step, totalStats } from "bonmf/engine";
import { describe, expect, it, vi } from "vitest";
import { askDaemon } from "../../src/executor/daemon.js";
import type { Chunk, NumberedStep, Request, Shape, Totals } from "../../src/request.js";
import { decode, encode } from "../../src/wire.js";

const script = fileURLToPath(new URL("../../dist/executor.mjs", import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly rows: string[][];
  readonly error: string;
}

const run = (words: readonly string[], input: string) => pipe(process.execPath, [script, ...words], input);

function pipe(command: string, args: readonly string[], input: string): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(command, args);
    let output = "";
    let error = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      error += chunk;
    });
    child.on("close", (code) => {
      const lines = output.split("\n").slice(0, -1);
      resolve({ code, error, rows: lines.map((line) => line.split("\t")) });
    });
    child.stdin.end(input);
  });
}

const samples = 1100;
const features = 6;
const values = Float32Array.from({ length: samples * features }, (_, p) => (p * 7919) % 11);
const X = new Dense(samples, features, values);
const shape: Shape = { samples, features, precision: "f32", sparse: false, cuts: [0, 512, 1100] };
const step = (seed: number): Step => ({
  rule: "cosine",
  k: 3,
  W: Float64Array.from({ length: 18 }, (_, q) => ((q + seed) * 31) % 7),
  grid: new Float64Array(features).fill(2 ** 20),
  weightGrid: 2 ** 20,
});
const survey: Step = { rule: "survey", k: 0, W: new Float64Array(0), rank: 4 };

function chunksOf(first: number, last: number, rows: number): Chunk[] {
  const chunks: Chunk[] = [];
  for (let from = first; from < last; from += rows) {
    const to = Math.min(from + rows, last);
    chunks.push({ samples: to - from, values: values.slice(from * features, to * features) });
  }
  return chunks;
}

function task(partition: number, request: Partial<Request>, chunks: readonly Chunk[] = []): string {
  const text = encode({ shape, prior: [], ...request });
  if (chunks.length === 0) return `${partition}\t${text}\t\\N\n`;
  return chunks.map((chunk, p) => `${partition}\t${p === 0 ? text : "\\N"}\t${encode(chunk)}\n`).join("");
}

function totalsOf(rows: readonly string[][]): Totals {
  const last = rows.length - 1;
  expect(rows.map(([kind]) => kind)).toEqual([...Array(last).fill("totals"), "done"]);
  return decode<Totals>(rows.map(([, , , piece]) => piece).join(""));
}

const numbered = (number: number, own: Step): NumberedStep => ({ number, step: own });

describe("the executors' script", () => {
  it("packs rows into chunks, partition by partition", async () => {
    const lines = ["3\t1.0 2.5", "3\t0.1 4", "3\t5 6", "8\t7 8"].join("\n");
    const { rows } = await run(["pack", "f32", "2", "dense", "2"], `${lines}\n`);
    expect(rows.map(([partition, chunk]) => [partition, chunk])).toEqual([
      ["3", "0"],
      ["3", "1"],
      ["8", "0"],
    ]);
    expect(rows.map(([, , payload]) => decode(payload))).toEqual([
      { samples: 2, values: Float32Array.of(1, 2.5, 0.1, 4) },
      { samples: 1, values: Float32Array.of(5, 6) },
      { samples: 1, values: Float32Array.of(7, 8) },
    ]);
    const sparse = await run(["pack", "f64", "9", "sparse", "4"], "0\t5 1 3|0.5 2 0\n0\t|\n");
    expect(decode(sparse.rows[0][2])).toEqual({
      samples: 2,
      values: Float64Array.of(2, 0.5),
      lengths: Uint32Array.of(2, 0),
      indices: Uint32Array.of(1, 5),
    });
  });

  it("asks for a partition it does not keep, keeps it, and forgets it when the fit is over", async () => {
    const fitName = `t${process.pid}`;
    const sweep = (input: string) => run(["sweep", fitName], input);
    const quick = (partition: number, request: Partial<Request>) =>
      pipe("/bin/bash", ["-c", askDaemon(fitName)], `${partition}\t\\N\t\\N\n${task(partition, request)}`);
    const whole = await openShard(X);
    const ask = async (request: Partial<Request>) => {
      const partitions = await Promise.all(
        [0, 1].map(async (partition) => totalsOf((await quick(partition, request)).rows)),
      );
      return totalStats(partitions.map(({ stats }) => stats).reduce(mergeStats));
    };
    expect((await quick(0, { step: numbered(1, survey) })).rows).toEqual([["missing", "0", "0", ""]]);
    expect((await sweep(task(0, { step: numbered(1, survey) }))).rows).toEqual([["missing", "0", "0", ""]]);
    const loaded = [
      await sweep(task(0, { step: numbered(1, survey) }, chunksOf(0, 512, 256))),
      await sweep(task(1, { step: numbered(1, survey) }, chunksOf(512, 1100, 256))),
    ].map(({ rows }) => totalsOf(rows));
    const merged = loaded.map(({ stats }) => stats).reduce(mergeStats);
    expect(totalStats(merged)).toEqual(totalStats(await whole.pass(survey)));
    expect(loaded[1].rows.data).toEqual((await whole.rows(loaded[1].rows.ids)).data);

    const first = totalStats(await whole.pass(step(1)));
    expect(await ask({ step: numbered(2, step(1)) })).toEqual(first);
    const second = totalStats(await whole.pass(step(2)));
    expect(await ask({ after: 2, step: numbered(3, step(2)) })).toMatchObject({ changed: second.changed });
    // By now it has taken step 3: who thinks that 2 was the last must say what it was.
    for (const partition of [0, 1])
      expect((await quick(partition, { after: 2, step: numbered(3, step(2)) })).rows).toEqual([
        ["behind", String(partition), "0", ""],
      ]);
    // A task that Spark repeats finds the step taken already, and must not count from there.
    const again = await ask({ prior: [numbered(2, step(1))], step: numbered(3, step(2)) });
    expect({ ...again, products: 0 }).toEqual({ ...second, products: 0 });

    for (const partition of [0, 1]) expect((await quick(partition, { close: true })).rows[0][0]).toBe("closed");
    const folder = join(tmpdir(), `bonmf-${userInfo().uid}`);
    await vi.waitFor(() => expect(readdirSync(folder).filter((name) => name.startsWith(fitName))).toEqual([]), 300_000);
  });

  it("sweeps a partition that streams by in groups of whole blocks", async () => {
    const whole = await openShard(X);
    for (const own of [survey, step(4)]) {
      const request = { step: numbered(1, own) };
      const partitions: Stats[] = [];
      for (const [partition, chunks] of [chunksOf(0, 512, 64), chunksOf(512, 1100, 64)].entries()) {
        partitions.push(totalsOf((await run(["stream", "1"], task(partition, request, chunks))).rows).stats);
      }
      const total = totalStats(partitions.reduce(mergeStats));
      expect({ ...total, products: 0 }).toEqual({ ...totalStats(await whole.pass(own)), products: 0 });
    }
  });

  it("copies samples out of a partition that streams by", async () => {
    const { rows } = await run(["stream", "1"], task(1, { rows: [3, 600, 1099] }, chunksOf(512, 1100, 64)));
    expect(rows.map(([kind]) => kind)).toEqual(["rows", "done"]);
    const { ids, data } = decode<{ ids: number[]; data: Float32Array }>(rows[0][3]);
    expect(ids).toEqual([600, 1099]);
    expect(data).toEqual(Float32Array.of(...X.row(600), ...X.row(1099)));
  });

  it("adds up partitions whose sums are exact, and leaves the others as they are", async () => {
    const whole = await openShard(X);
    for (const [own, count] of [
      [step(4), 1],
      [survey, 2],
    ] as const) {
      const answers = await Promise.all(
        [chunksOf(0, 512, 256), chunksOf(512, 1100, 256)].map((chunks, partition) =>
          run(["stream", "99999"], task(partition, { step: numbered(1, own) }, chunks)),
        ),
      );
      const lines = [["missing", "7", "0", ""], ...answers.flatMap(({ rows }) => rows)].map((row) => row.join("\t"));
      // Partition 9 breaks off.
      const { rows } = await run(["merge"], `${lines.join("\n")}\ntotals\t9\t0\tabc\n`);
      expect(rows[0]).toEqual(["missing", "7", "0", ""]);
      expect(rows.length).toBe(1 + 2 * count);
      const merged = rows.filter(([kind]) => kind === "totals").map(([, , , piece]) => decode<Totals>(piece));
      expect(merged.flatMap(({ partitions }) => partitions)).toEqual([0, 1]);
      const total = totalStats(merged.map(({ stats }) => stats).reduce(mergeStats));
      expect({ ...total, products: 0 }).toEqual({ ...totalStats(await whole.pass(own)), products: 0 });
    }
  });

  it("labels rows as the model does", async () => {
    const model = await fit(X, { k: 3, seed: 1 });
    const format = { precision: "f32", features, sparse: false };
    const task = encode({ format, model: saveModel(model) });
    const lines = Array.from(
      { length: samples },
      (_, i) => `${i === 0 ? task : "\\N"}\tn${i}\t${[...X.row(i)].join(" ")}`,
    );
    const { rows } = await run(["label"], `${lines.join("\n")}\n`);
    expect(rows).toEqual(Array.from(model.labels, (label, i) => [`n${i}`, String(label)]));
  });

  it("fails with its reason, and does nothing for a task without rows", async () => {
    const failed = await run(["pack", "f32", "3", "dense", "2"], "0\t1 2\n");
    expect(failed).toMatchObject({ code: 1, error: expect.stringContaining("2 values instead of 3") });
    expect(await run(["sweep", "none"], "")).toMatchObject({ code: 0, rows: [] });
    const cut = task(0, { step: numbered(1, survey) }, chunksOf(0, 256, 256));
    const name = `u${process.pid}`;
    for (const job of [
      ["stream", "1"],
      ["sweep", name],
    ]) {
      expect(await run(job, cut)).toMatchObject({
        code: 1,
        error: expect.stringContaining("512 samples, but 256 came"),
      });
    }
    await run(["sweep", name], task(0, { close: true }));
  });
});
