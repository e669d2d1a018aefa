import { Dense } from "bonmf";
import { finishLoaded, namePixels, noteBroken, type Size, shrinkSize } from "bonmf-data";
import sharp, { type Sharp } from "sharp";
import { UserError } from "../../errors.js";
import type { Data, ReadOptions } from "../data.js";
import { readBytes } from "../files/bytes.js";
import { type FoundFile, readFolders } from "../files/sources.js";
import { isPnm, type Picture, readPnm } from "./pnm.js";
import { refuseFlags } from "./refuse-flags.js";

const AT_ONCE = 4;

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
  const data = new Float32Array(files.length * pixels);
  const errors = new Map<number, PictureError>();
  let next = 0;
  let done = 0;
  const work = async () => {
    while (next < files.length) {
      options.signal?.throwIfAborted();
      const i = next++;
      try {
        data.set(await decode(files[i], size), i * pixels);
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
async function chooseSize(files: readonly FoundFile[], { size, like, strict }: ReadOptions): Promise<Size> {
  const given = like?.recipe.image ?? size;
  if (given) return given;
  let first: unknown;
  for (const file of files) {
    try {
      return shrinkSize(await open(file, async (picture) => (await picture.metadata()).autoOrient));
    } catch (error) {
      first ??= error;
      if (strict || !(error instanceof PictureError)) break;
    }
  }
  throw first;
}

async function decode(file: FoundFile, { width, height }: Size): Promise<Uint8Array> {
  return open(file, (picture) =>
    picture
      .autoOrient()
      .flatten({ background: "white" })
      .greyscale()
      .resize(width, height, { fit: "fill" })
      .raw()
      .toBuffer(),
  );
}

async function open<T>(file: FoundFile, use: (picture: Sharp) => Promise<T>): Promise<T> {
  const bytes = await readBytes(file, {});
  try {
    if (bytes.length === 0) throw new Error("it is empty");
    return await use(isPnm(bytes) ? wrap(readPnm(bytes)) : sharp(bytes, { pages: 1 }));
  } catch (error) {
    const [reason] = (error as Error).message.split("\n");
    throw new PictureError(file.name, reason, error);
  }
}

function wrap({ width, height, channels, data }: Picture): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}
