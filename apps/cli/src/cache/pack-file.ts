import { createReadStream } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Scaler } from "bonmf";
import type { Stored } from "bonmf/engine";
import { openReader, readerModule } from "./file-reader.js";
import { type Header, loadScaler } from "./pack-header.js";
import { WindowedSamples } from "./windowed-samples.js";

type Name = string | number;

/** An open pack: stored samples, and their scaler, weights, labels and ids, as long as the file is open. */
export interface PackFile {
  readonly header: Header;
  readonly stored: Stored;
  readonly scaler: Scaler;
  /** The same samples for this thread, for a few of them. */
  readonly window: WindowedSamples;
  readonly weights: Float64Array | null;
  readonly labels: Name[] | null;
  /** Yields ids in parts, in order; null where samples have none. */
  readonly ids: (() => AsyncIterable<readonly Name[]>) | null;
}

export function describePack(file: FileHandle, header: Header): PackFile {
  const { samples, features, layout: kind, part, starts, ids } = header;
  const reader = { module: readerModule(), options: { file: file.fd } };
  const codes = header.labels && readColumn(file, header.labels.at, new Uint32Array(samples));
  const shape = { samples, features, precision: "f32", kind, part, starts: Float64Array.from(starts) } as const;
  return {
    header,
    stored: { ...shape, reader },
    window: new WindowedSamples(shape, openReader({ file: file.fd })),
    scaler: loadScaler(header.scaler),
    weights: header.weights === null ? null : readColumn(file, header.weights, new Float64Array(samples)),
    labels: codes && Array.from(codes, (code) => header.labels!.classes[code]),
    ids: ids && (() => readIds(file, ids.at, ids.bytes)),
  };
}

function readColumn<T extends Uint32Array | Float64Array>(file: FileHandle, at: number, into: T): T {
  openReader({ file: file.fd }).read(at, new Uint8Array(into.buffer));
  return into;
}

async function* readIds({ fd }: FileHandle, start: number, bytes: number): AsyncGenerator<readonly Name[]> {
  const input = createReadStream("", { fd, autoClose: false, start, end: start + bytes - 1 });
  for await (const line of createInterface({ input })) yield JSON.parse(line);
}
