import { type FileHandle, open, stat } from "node:fs/promises";
import { readNpy } from "bonmf";
import { finishLoaded, readNpyShape } from "bonmf-data";
import { UserError } from "../../errors.js";
import type { Data, ReadOptions } from "../data.js";
import { type File, guard, readHead } from "../files/bytes.js";
import { refuseFlags } from "./refuse-flags.js";

/** Where the rows of an NPY file are. */
interface Layout {
  readonly file: File;
  /** The bytes before the rows, with the header as text, which begins at `start`. */
  readonly head: Uint8Array;
  readonly start: number;
  readonly header: string;
  readonly samples: number;
  /** Sizes of a sample, one for each dimension. */
  readonly sizes: readonly number[];
  readonly features: number;
  /** Bytes of a row. */
  readonly row: number;
}

/** How NPY files can be read row by row; null where one is compressed, in column order, of another width or cut short. */
export async function findRows(files: readonly File[]): Promise<Layout[] | null> {
  const layouts: Layout[] = [];
  for (const file of files) {
    const { bytes, gzip } = await readHead(file);
    const { size } = await stat(file.path);
    const shape = readNpyShape(bytes);
    if (gzip || shape === undefined || shape.end > bytes.length || shape.shape.length < 2) return null;
    const header = Buffer.from(bytes.subarray(shape.start, shape.end)).toString("latin1");
    const width = /^[<>|=]?[a-z](\d+)$/.exec(shape.type)?.[1];
    if (shape.fortran || width === undefined) return null;
    const [samples, ...sizes] = shape.shape;
    const features = sizes.reduce((product, size) => product * size, 1);
    if (features !== (layouts[0]?.features ?? features)) return null;
    const row = features * Number(width);
    // Read as a whole, a file of another length says so before memory is taken.
    if (!(row > 0) || shape.end + samples * row !== size) return null;
    const head = bytes.subarray(0, shape.end);
    layouts.push({ file, head, start: shape.start, header, samples, sizes, features, row });
  }
  return layouts;
}

/** NPY files in parts of at most `rows` rows. */
export async function* readNpyParts(
  layouts: readonly Layout[],
  options: ReadOptions,
  rows: number,
): AsyncGenerator<Data> {
  refuseFlags("npy", layouts[0].file.name, options, ["missing"]);
  for (const layout of layouts) {
    const { name, path } = layout.file;
    const { samples, sizes } = layout;
    const image = sizes.length === 2 ? { recipe: { image: { width: sizes[1], height: sizes[0] } } } : {};
    const handle = await guard(name, () => open(path));
    try {
      for (let from = 0; from < samples; from += rows) {
        options.signal?.throwIfAborted();
        const count = Math.min(rows, samples - from);
        const { X } = readNpy(await readRows(handle, layout, from, count), { name, precision: "f32" });
        options.onProgress?.(from + count, samples, "rows");
        yield finishAt(from, () => finishLoaded("npy", { X, features: null, labels: null, ...image }, name, options));
      }
    } finally {
      await handle.close();
    }
  }
}

/** Some rows as an NPY file of their own: the same header with another number of rows. */
async function readRows(handle: FileHandle, layout: Layout, from: number, count: number): Promise<Uint8Array> {
  const { head, start, header, features, row } = layout;
  const end = head.length;
  const short = header.replace(/('shape'\s*:\s*)\([^)]*\)/, `$1(${count}, ${features})`);
  const bytes = Buffer.alloc(end + count * row);
  bytes.set(head.subarray(0, start));
  bytes.write(`${short.trimEnd().padEnd(end - start - 1)}\n`, start, "latin1");
  const { bytesRead } = await handle.read(bytes, end, count * row, end + from * row);
  return bytes.subarray(0, end + bytesRead);
}

/** Counts the samples in messages from the beginning of the file. */
function finishAt(from: number, finish: () => Data): Data {
  try {
    return finish();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const message = error.message.replace(/, sample (\d+)/, (_, n) => `, sample ${Number(n) + from}`);
    throw new UserError(message, error.hint, { cause: error });
  }
}
