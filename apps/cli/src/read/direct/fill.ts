import { closeSync, openSync } from "node:fs";
import { Column } from "./column.js";
import { Machine } from "./machine.js";
import type { Done, Order, Task } from "./order.js";

/** Values of a strip, which should stay in the cache between its columns and its rows. */
const STRIP = 65_536;

/** Values of a column that are decoded at once, lest its table has to come back too often; and of all columns. */
const AHEAD = 8192;
const ROOM = 2 ** 20;

/** Does tasks until none is left. Yields each that is done, and null often on the way. Throws at anything unusual. */
export function* doTasks(order: Order): Generator<Done | null, undefined> {
  const machine = new Machine();
  const files = new Map<number, number>();
  const open = (file: number) => {
    const known = files.get(file) ?? openSync(order.paths[file], "r");
    files.set(file, known);
    return known;
  };
  try {
    for (;;) {
      const task = Atomics.add(order.next, 0, 1);
      if (task >= order.tasks.length) return;
      const still = yield* fillTask(machine, order.tasks[task], order, open);
      yield { task, still };
    }
  } finally {
    for (const file of files.values()) closeSync(file);
  }
}

/** Reads the values of a task into their rows of the matrix; returns for each feature its one value, or NaN. */
function* fillTask(
  machine: Machine,
  task: Task,
  { out, m }: Order,
  open: (file: number) => number,
): Generator<null, Float32Array> {
  machine.release();
  const { kernel } = machine;
  const width = task.chunks.length;
  const most = Math.min(2048, Math.max(128, Math.floor(STRIP / width / 8) * 8));
  const ahead = most * Math.max(1, Math.min(Math.floor(AHEAD / most), Math.floor(ROOM / width / most)));
  const columns = task.chunks.map((chunk) => new Column(machine, open(chunk.file), chunk, task.rows, ahead));
  for (const column of columns) column.skip(task.skip);
  const table = machine.reserve(4 * width);
  const strip = machine.reserve(4 * width * most);
  const places = new Uint32Array(width);
  const still = new Float32Array(width);
  for (let done = 0; done < task.rows; done += most) {
    const rows = Math.min(most, task.rows - done);
    for (let c = 0; c < width; c++) places[c] = columns[c].take(rows);
    machine.bytes.set(new Uint8Array(places.buffer), table);
    if (!kernel.turn(table, width, rows, strip)) throw new Error("a value is not finite");
    const values = new Float32Array(machine.bytes.buffer, strip, width * rows);
    if (done === 0) still.set(values.subarray(0, width));
    for (let c = 0; c < width; c++) {
      if (!Number.isNaN(still[c]) && !kernel.areAll(places[c], rows, still[c])) still[c] = Number.NaN;
    }
    place(out, (task.sample + done) * m + task.feature, m, values, width);
    yield null;
  }
  return still;
}

/** Writes rows of `width` values, one after the other, into rows of m. */
function place(out: Float32Array, start: number, m: number, values: Float32Array, width: number): void {
  if (width === m) {
    out.set(values, start);
    return;
  }
  for (let i = 0, p = start; i < values.length; i += width, p += m) {
    for (let c = 0; c < width; c++) out[p + c] = values[i + c];
  }
}
