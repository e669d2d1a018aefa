import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Scaler } from "bonmf";
import type { Stored } from "bonmf/engine";
import { readerModule } from "./file-reader.js";
import { type Header, loadScaler } from "./pack-header.js";

type Name = string | number;

/** An open pack: stored samples, and their scaler, weights, labels and ids. */
export interface PackFile {
  readonly header: Header;
  readonly stored: Stored;
  readonly scaler: Scaler;
  readonly weights: Float64Array | null;
  readonly labels: Name[] | null;
  /** Yields ids in parts, in order; null where samples have none. */
  readonly ids: (() => AsyncIterable<readonly Name[]>) | null;
}

export async function openPack(path: string, header: Header): Promise<PackFile> {
  const { samples, features, layout: kind, part, starts, ids } = header;
  const reader = { module: readerModule(), options: { path } };
  const codes = header.labels && (await readColumn(path, header.labels.at, new Uint32Array(samples)));
  return {
    header,
    stored: { samples, features, precision: "f32", kind, part, starts: Float64Array.from(starts), reader },
    scaler: loadScaler(header.scaler),
    weights: header.weights === null ? null : await readColumn(path, header.weights, new Float64Array(samples)),
    labels: codes && Array.from(codes, (code) => header.labels!.classes[code]),
    ids: ids && (() => readIds(path, ids.at, ids.bytes)),
  };
}

async function readColumn<T extends Uint32Array | Float64Array>(path: string, at: number, into: T): Promise<T> {
  const file = await open(path);
  try {
    const bytes = new Uint8Array(into.buffer);
    for (let done = 0; done < bytes.length; ) {
      done += (await file.read(bytes, done, Math.min(bytes.length - done, 2 ** 24), at + done)).bytesRead;
    }
    return into;
  } finally {
    await file.close();
  }
}

async function* readIds(path: string, start: number, bytes: number): AsyncGenerator<readonly Name[]> {
  const input = createReadStream(path, { start, end: start + bytes - 1 });
  for await (const line of createInterface({ input })) yield JSON.parse(line);
}
