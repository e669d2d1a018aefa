import { open } from "node:fs/promises";
import { BonmfError, FormatError, readNpy } from "bonmf";
import { finishLoaded, isUnlabelled, loadLibsvmPart, readNpyShape, widenFeatures } from "bonmf-data";
import type { Data, ReadOptions } from "../read/data.js";
import { type File, guard, readHead } from "../read/files/bytes.js";
import { findFiles } from "../read/files/find.js";
import { readBlocks } from "../read/files/lines.js";
import { Scratch } from "../read/files/scratch.js";
import { identifyFiles } from "../read/files/sources.js";
import { refuseFlags } from "../read/formats/refuse-flags.js";
import { readParts } from "../read/read.js";

/** Yields samples in parts of at most `rows`; NPY and LIBSVM files are read in parts, too. */
export async function* streamSamples(
  sources: readonly string[],
  options: ReadOptions,
  rows: number,
): AsyncGenerator<Data> {
  const own = options.sql === undefined && options.missing !== "mean" && !sources.includes("-");
  const found = own ? await identifyFiles(await findFiles(sources, options, new Scratch()), options) : null;
  if (found?.kind === "libsvm") yield* streamLibsvm(found.files, options, rows);
  else if (found?.kind === "npy" && (await areRows(found.files))) yield* streamNpy(found.files, options, rows);
  else yield* readParts(sources, options, rows);
}

/** Whether NPY files are uncompressed and in row order. */
async function areRows(files: readonly File[]): Promise<boolean> {
  for (const file of files) {
    const { bytes, gzip } = await readHead(file);
    const head = readNpyShape(bytes);
    if (gzip || head === undefined || head.end > bytes.length || head.shape.length < 2) return false;
    const text = Buffer.from(bytes.subarray(head.start, head.end)).toString("latin1");
    if (!/'fortran_order'\s*:\s*False/.test(text) || !/^[<>|=]?[a-z](\d+)$/.test(head.type)) return false;
  }
  return true;
}

/** Each part is decoded as an NPY file of its own: the same header with another number of rows. */
async function* streamNpy(files: readonly File[], options: ReadOptions, rows: number): AsyncGenerator<Data> {
  refuseFlags("npy", files[0].name, options, ["missing"]);
  let width: number | undefined;
  for (const { path, name } of files) {
    const { bytes: head } = await readHead({ path, name });
    const { type, shape, start, end } = readNpyShape(head)!;
    const [samples, ...sizes] = shape;
    const features = sizes.reduce((product, size) => product * size, 1);
    width ??= features;
    if (features !== width) return yield* readParts([...files.map((file) => file.path)], options, rows);
    const text = Buffer.from(head.subarray(start, end)).toString("latin1");
    const row = features * Number(/\d+$/.exec(type)![0]);
    const image = sizes.length === 2 ? { recipe: { image: { width: sizes[1], height: sizes[0] } } } : {};
    const file = await guard(name, () => open(path));
    try {
      for (let from = 0; from < samples; from += rows) {
        options.signal?.throwIfAborted();
        const count = Math.min(rows, samples - from);
        const short = text.replace(/('shape'\s*:\s*)\([^)]*\)/, `$1(${count}, ${features})`);
        const piece = Buffer.alloc(end + count * row);
        piece.set(head.subarray(0, start));
        piece.write(`${short.trimEnd().padEnd(end - start - 1)}\n`, start, "latin1");
        const { bytesRead } = await file.read(piece, end, count * row, end + from * row);
        const { X } = readNpy(piece.subarray(0, end + bytesRead), { name, precision: "f32" });
        options.onProgress?.(from + count, samples, "rows");
        yield finishLoaded("npy", { X, features: null, labels: null, ...image }, name, options);
      }
    } finally {
      await file.close();
    }
  }
}

/** A first pass over all lines finds the number of features and whether indices count from 0. */
async function* streamLibsvm(files: readonly File[], options: ReadOptions, rows: number): AsyncGenerator<Data> {
  refuseFlags("libsvm", files[0].name, options, ["missing"]);
  const { like } = options;
  let zeroBased = like?.recipe.zeroBased ?? false;
  let width = like?.count ?? 0;
  let bare = true;
  if (!like) {
    let last = -1;
    for await (const { loaded } of blocks(files, { ...options, onProgress: undefined }, rows, true)) {
      const { X } = loaded;
      if (X.kind === "sparse") for (const f of X.indices) [last, zeroBased] = [Math.max(last, f), zeroBased || f === 0];
      bare &&= isUnlabelled(loaded);
    }
    width = zeroBased ? last + 1 : last;
  }
  for await (const { loaded, name } of blocks(files, options, rows, zeroBased)) {
    if (like) bare &&= isUnlabelled(loaded);
    const labels = bare ? null : loaded.labels;
    yield finishLoaded("libsvm", { ...loaded, X: widenFeatures(loaded.X, width), labels }, name, options);
  }
}

async function* blocks(files: readonly File[], options: ReadOptions, rows: number, zeroBased: boolean) {
  for (const file of files) {
    for await (const { bytes, line } of readBlocks(file, options, rows)) {
      try {
        const loaded = loadLibsvmPart(bytes, file.name, zeroBased);
        yield { loaded, name: file.name };
      } catch (error) {
        if (!(error instanceof BonmfError)) throw error;
        // All lines are blank or comments.
        if (error.code === "empty") continue;
        const place = (_: string, n: string) => `, line ${Number(n) + line - 1}`;
        throw new FormatError(error.message.replace(/, line (\d+)/, place), { cause: error });
      }
    }
  }
}
