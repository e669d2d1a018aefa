import type { Readable, Writable } from "node:stream";
import { Dense, loadModel, type Model, Sparse } from "bonmf";
import { decode } from "../wire.js";
import { linesOf, send } from "./lines.js";
import { type RowFormat, RowPacker } from "./pack-rows.js";

/** The model in the first line, base64 in `decode`'s form. */
export interface LabelTask {
  readonly format: RowFormat;
  readonly model: Uint8Array;
}

const BATCH = 1024;
const TAB = 9;

/** Reads lines of (task, id, row), the task in the first line only, and writes lines of (id, label). */
export async function labelRows(input: Readable, output: Writable): Promise<void> {
  let model: Model | null = null;
  let format: RowFormat | null = null;
  let rows: RowPacker | null = null;
  let ids: Buffer[] = [];
  const flush = async () => {
    if (!rows || ids.length === 0) return;
    const labels = model!.predict(matrixOf(format!, rows));
    await send(output, ids.map((id, i) => `${id.toString("latin1")}\t${labels[i]}\n`).join(""));
    ids = [];
  };
  for await (const line of linesOf(input)) {
    const first = line.indexOf(TAB);
    const second = line.indexOf(TAB, first + 1);
    if (model === null) {
      const task = decode<LabelTask>(line.toString("latin1", 0, first));
      model = loadModel(task.model);
      format = task.format;
      rows = new RowPacker(format, BATCH);
    }
    ids.push(Buffer.from(line.subarray(first + 1, second)));
    rows!.add(line.subarray(second + 1));
    if (rows!.full) await flush();
  }
  await flush();
}

function matrixOf({ features, sparse }: RowFormat, rows: RowPacker): Dense | Sparse {
  const { samples, values, lengths, indices } = rows.take();
  if (!sparse) return new Dense(samples, features, values);
  const offsets = new Uint32Array(samples + 1);
  lengths!.forEach((length, i) => {
    offsets[i + 1] = offsets[i] + length;
  });
  return new Sparse(samples, features, offsets, indices!, values);
}
