import { Dense, MemoryError } from "bonmf";
import { allowBytes, requireMemory } from "bonmf/io";
import { finishLoaded, namePixels, noteBroken, type Size, shrinkSize } from "bonmf-data";
import sharp, { type Sharp } from "sharp";
import { UserError } from "../../errors.js";
import type { Data, ReadOptions } from "../data.js";
import { readBytes } from "../files/bytes.js";
import { type FoundFile, readFolders } from "../files/sources.js";
import { runTask } from "../thread.js";
import { isPnm, type Picture, readPnm } from "./pnm.js";
import { refuseFlags } from "./refuse-flags.js";

const AT_ONCE = 4;
/** Bytes of a PGM or PPM picture that are decoded in a fraction of a second. */
const FEW = 2 ** 20;
/** What decoding takes: a pixel, and a column, of which some rows are kept; the pixels of a text are words first. */
const PIXEL_BYTES = 4;
const COLUMN_BYTES = 256;

/** Pictures as samples: grey, brought to one size, a feature a pixel, row by row, 0 (black) … 255 (white). */
export async function readImages(files: readonly FoundFile[], options: ReadOptions): Promise<Data> {
  refuseFlags("images", files[0].name, options, ["label"]);
  const size = await chooseSize(files, options);
  const found = await decodeAll(files, size, options);
  if (found.kept.length === 0) throw found.broken[0];
  return finish(found, size, files[0].name, options);
}

/** The same in parts, all of one size. */
export async function* readImageParts(
  files: readonly FoundFile[],
  options: ReadOptions,
  rows: number,
): AsyncGenerator<Data> {
  refuseFlags("images", files[0].name, options, ["label"]);
  const size = await chooseSize(files, options);
  let first: PictureError | undefined;
  let any = false;
  for (let i = 0; i < files.length; i += rows) {
    const found = await decodeAll(files.slice(i, i + rows), size, options);
    first ??= found.broken[0];
    if (found.kept.length === 0) continue;
    any = true;
    yield finish(found, size, files[0].name, options);
  }
  if (!any && first) throw first;
}

/** A file that is no picture, or a damaged one. */
class PictureError extends UserError {
  constructor(
    readonly file: string,
    reason: string,
    cause: unknown,
  ) {
    super(`${file} cannot be read as a picture: ${reason}`, "repair or remove it", { cause });
  }
}

interface Decoded {
  readonly kept: readonly FoundFile[];
  /** One picture after the other. */
  readonly data: Float32Array;
  readonly broken: readonly PictureError[];
}

/** All pictures that can be decoded; with --strict all must be. */
async function decodeAll(files: readonly FoundFile[], size: Size, options: ReadOptions): Promise<Decoded> {
  const pixels = size.width * size.height;
  const { budget = Number.POSITIVE_INFINITY } = options;
  const what = `${files[0].name}${files.length === 1 ? "" : ` and ${files.length - 1} more`}`;
  requireMemory(
    4 * files.length * pixels,
    budget,
    `${what} at ${size.width} × ${size.height} pixels make ${files.length} samples of ${pixels} features`,
  );
  const data = new Float32Array(files.length * pixels);
  const errors = new Map<number, PictureError>();
  let next = 0;
  let done = 0;
  const work = async () => {
    while (next < files.length) {
      options.signal?.throwIfAborted();
      const i = next++;
      try {
        data.set(await decode(files[i], size, options), i * pixels);
      } catch (error) {
        if (options.strict || !(error instanceof PictureError)) throw error;
        errors.set(i, error);
      }
      options.onProgress?.(++done, files.length, "files");
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const kept = [...files.keys()].filter((i) => !errors.has(i));
  for (const [to, from] of kept.entries()) data.copyWithin(to * pixels, from * pixels, (from + 1) * pixels);
  return {
    kept: kept.map((i) => files[i]),
    data: data.subarray(0, kept.length * pixels),
    broken: [...errors].sort(([a], [b]) => a - b).map(([, error]) => error),
  };
}

function finish({ kept, data, broken }: Decoded, size: Size, name: string, options: ReadOptions): Data {
  const loaded = {
    X: new Dense(kept.length, size.width * size.height, data),
    features: options.like ? null : namePixels(size),
    labels: readFolders(kept, options),
    ids: kept.map(({ inside, name }) => inside ?? name),
    recipe: { image: { width: size.width, height: size.height } },
    notes: noteBroken(broken.map(({ file }) => file)),
  };
  return finishLoaded("images", loaded, name, options);
}

/** The size of the model or of the first picture that can be read. */
async function chooseSize(files: readonly FoundFile[], options: ReadOptions): Promise<Size> {
  const { size, like, strict } = options;
  const given = like?.recipe.image ?? size;
  if (given) return given;
  let first: unknown;
  for (const file of files) {
    try {
      return shrinkSize(await open(file, options, async (picture) => (await picture.metadata()).autoOrient));
    } catch (error) {
      first ??= error;
      if (strict || !(error instanceof PictureError)) break;
    }
  }
  throw first;
}

async function decode(file: FoundFile, { width, height }: Size, options: ReadOptions): Promise<Uint8Array> {
  return open(file, options, (picture) =>
    picture
      .autoOrient()
      .flatten({ background: "white" })
      .greyscale()
      .resize(width, height, { fit: "fill" })
      .raw()
      .toBuffer(),
  );
}

async function open<T>(file: FoundFile, options: ReadOptions, use: (picture: Sharp) => Promise<T>): Promise<T> {
  const { maxBytes, budget = Number.POSITIVE_INFINITY, signal } = options;
  const bytes = await readBytes(file, { budget, signal });
  const most = maxBytes ?? Math.min(budget, allowBytes(bytes.length));
  try {
    if (bytes.length === 0) throw new Error("it is empty");
    if (isPnm(bytes)) {
      const request = { bytes, name: file.name, most };
      return await use(wrap(await runTask("pnm", request, options, { source: file.name, short: bytes.length < FEW })));
    }
    // The check has the last word, not a limit of pixels.
    const picture = sharp(bytes, { pages: 1, limitInputPixels: false });
    checkPixels(await picture.metadata(), file.name, most);
    return await use(picture);
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    const [reason] = (error as Error).message.split("\n");
    throw new PictureError(file.name, reason, error);
  }
}

/** PGM and PPM are read by our own code, which does not pause. */
export function decodePnm({ bytes, name, most }: { bytes: Uint8Array; name: string; most: number }): Picture {
  return readPnm(bytes, (size) => checkPixels(size, name, most));
}

function checkPixels({ width, height }: Size, name: string, most: number): void {
  const needed = PIXEL_BYTES * width * height + COLUMN_BYTES * width;
  requireMemory(needed, most, `${name} claims ${width} × ${height} pixels`);
}

function wrap({ width, height, channels, data }: Picture): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}
