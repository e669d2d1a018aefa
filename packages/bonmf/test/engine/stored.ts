import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Reader, Stored } from "../../src/engine/stored.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import type { Sparse } from "../../src/matrix/sparse.js";

type View = Float64Array | Float32Array | Uint32Array;

const PART = 128;
/** Before the samples there may be anything. */
const START = 40;

/** The bytes of samples as a stream wants them, and where what is. */
function layOut(X: Matrix): { bytes: Uint8Array; starts: Float64Array } {
  const views: View[] = [];
  const starts = [START];
  if (X.kind === "dense") views.push(X.data);
  for (let from = 0; X.kind === "sparse" && from < X.samples; from += PART) {
    const { offsets, indices, values } = X.slice(from, Math.min(from + PART, X.samples)) as Sparse;
    views.push(offsets, indices, values);
    starts.push(starts.at(-1)! + offsets.byteLength + indices.byteLength + values.byteLength);
  }
  const bytes = Buffer.concat([
    Buffer.alloc(START, 255),
    ...views.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)),
  ]);
  return { bytes, starts: Float64Array.from(starts) };
}

function describe(X: Matrix, starts: Float64Array, reader: Stored["reader"]): Stored {
  const { samples, features, precision, kind } = X;
  return { samples, features, precision, kind, part: PART, starts, reader };
}

/** Samples that are read from memory; `late`: every answer is a promise. */
export function storeHere(X: Matrix, late = false): Stored & { reader: Reader & { asked: number } } {
  const { bytes, starts } = layOut(X);
  const reader = {
    asked: 0,
    read(at: number, into: Uint8Array) {
      reader.asked += into.length;
      if (!late) into.set(bytes.subarray(at, at + into.length));
      return late ? Promise.resolve().then(() => into.set(bytes.subarray(at, at + into.length))) : undefined;
    },
  };
  return { ...describe(X, starts, reader), reader };
}

let folder: string | undefined;
let files = 0;

/** Samples in a file, that any thread can open. */
export function storeFile(X: Matrix): Stored {
  const { bytes, starts } = layOut(X);
  folder ??= mkdtempSync(join(tmpdir(), "bonmf-stored-"));
  const path = join(folder, String(files++));
  writeFileSync(path, bytes);
  return describe(X, starts, { module: new URL("./reader.js", import.meta.url).href, options: { path } });
}

afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});
