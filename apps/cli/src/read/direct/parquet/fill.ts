import { closeSync, openSync } from "node:fs";
import { ConstantFeatures } from "../../duckdb/constant-features.js";
import { Wasm } from "../wasm.js";
import { ColumnReader } from "./column-reader.js";
import type { Done, Job, Task } from "./job.js";

/** Values decoded at once: few enough to stay in the cache until they are rows. */
const STRIP = 65_536;

/** Takes tasks until none is left. Yields each that is done, and null often on the way. Throws at anything unusual. */
export function* fillTasks(job: Job): Generator<Done | null, undefined> {
  const wasm = new Wasm();
  const files = new Map<number, number>();
  const open = (file: number) => {
    const known = files.get(file) ?? openSync(job.paths[file], "r");
    files.set(file, known);
    return known;
  };
  try {
    for (;;) {
      const task = Atomics.add(job.next, 0, 1);
      if (task >= job.tasks.length) return;
      const constant = yield* fillTask(wasm, job.tasks[task], job, open);
      yield { task, constant };
    }
  } finally {
    for (const file of files.values()) closeSync(file);
  }
}

/** Decodes the columns of a task strip by strip and writes them as rows of the matrix. */
function* fillTask(
  wasm: Wasm,
  task: Task,
  { out, m }: Job,
  open: (file: number) => number,
): Generator<null, Float32Array> {
  wasm.release();
  const width = task.chunks.length;
  const most = Math.min(2048, Math.max(128, Math.floor(STRIP / width / 8) * 8));
  const columns = task.chunks.map((chunk) => new ColumnReader(wasm, open(chunk.file), chunk, most));
  const table = wasm.reserve(4 * width);
  const strip = wasm.reserve(4 * width * most);
  const addresses = new Uint32Array(width);
  const constant = new ConstantFeatures(width);
  for (let done = 0; done < task.rows; done += most) {
    const rows = Math.min(most, task.rows - done);
    for (let c = 0; c < width; c++) addresses[c] = columns[c].take(rows);
    wasm.bytes.set(new Uint8Array(addresses.buffer), table);
    if (!wasm.kernel.transpose(table, width, rows, strip)) throw new Error("a value is not finite");
    const values = new Float32Array(wasm.bytes.buffer, strip, width * rows);
    constant.update(values);
    copyRows(values, width, out, (task.sample + done) * m + task.feature, m);
    yield null;
  }
  for (const column of columns) column.finish();
  return constant.toValues();
}

/** Writes rows of `width` values into rows of m. */
function copyRows(values: Float32Array, width: number, out: Float32Array, start: number, m: number): void {
  if (width === m) {
    out.set(values, start);
    return;
  }
  for (let i = 0, p = start; i < values.length; i += width, p += m) {
    for (let c = 0; c < width; c++) out[p + c] = values[i + c];
  }
}
