import { Dense } from "bonmf";
import { finishLoaded, namePixels, type Size, shrinkSize } from "bonmf-data";
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
  const size = await chooseSize(files[0], options);
  const { width, height } = size;
  const pixels = width * height;
  const data = new Float32Array(files.length * pixels);
  let next = 0;
  let done = 0;
  const work = async () => {
    while (next < files.length) {
      options.signal?.throwIfAborted();
      const i = next++;
      data.set(await decode(files[i], size), i * pixels);
      options.onProgress?.(++done, files.length, "files");
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const loaded = {
    X: new Dense(files.length, pixels, data),
    features: options.like ? null : namePixels(size),
    labels: readFolders(files, options),
    ids: files.map(({ inside, name }) => inside ?? name),
    recipe: { image: { width, height } },
  };
  return finishLoaded("images", loaded, files[0].name, options);
}

/** The same in parts, all of one size. */
export async function* readImageParts(
  files: readonly FoundFile[],
  options: ReadOptions,
  rows: number,
): AsyncGenerator<Data> {
  const size = await chooseSize(files[0], options);
  for (let i = 0; i < files.length; i += rows) yield await readImages(files.slice(i, i + rows), { ...options, size });
}

async function chooseSize(first: FoundFile, { size, like }: ReadOptions): Promise<Size> {
  const given = like?.recipe.image ?? size;
  if (given) return given;
  const own = await open(first, async (picture) => {
    const { autoOrient } = await picture.metadata();
    return autoOrient;
  });
  return shrinkSize(own);
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
    throw new UserError(`${file.name} cannot be read as a picture: ${reason}`, "repair or remove it", {
      cause: error,
    });
  }
}

function wrap({ width, height, channels, data }: Picture): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}
