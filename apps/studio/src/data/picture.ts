import { Dense } from "bonmf";
import { namePixels, noteBroken, type Size, shrinkSize, UserError } from "bonmf-data";
import type { Item, MatrixSource } from "./source.js";

/** Called with how many files were read, of how many. */
export type OnFile = (read: number, total: number) => void;

/** Pictures as samples: grey on white, brought to the size of the first, a feature a pixel. Needs a canvas. */
export async function readPictures(
  items: readonly Item[],
  name: string,
  onFile: OnFile = () => {},
): Promise<MatrixSource> {
  const size = await chooseSize(items);
  const { width, height } = size;
  const pixels = width * height;
  const data = new Float32Array(items.length * pixels);
  const pen = openPaper(size);
  const kept: Item[] = [];
  const broken: string[] = [];
  for (const [read, item] of items.entries()) {
    onFile(read + 1, items.length);
    const bitmap = await decode(item);
    if (!bitmap) {
      broken.push(item.path ?? item.name);
      continue;
    }
    data.set(drawGrey(pen, bitmap, size), kept.length * pixels);
    bitmap.close();
    kept.push(item);
  }
  const folders = kept.map(({ path }) => path?.split("/").at(-2) ?? "");
  const classes = new Set(folders);
  return {
    form: "matrix",
    name,
    kind: "images",
    rows: kept.length,
    loaded: {
      X: new Dense(kept.length, pixels, data.subarray(0, kept.length * pixels)),
      features: namePixels(size),
      labels: classes.size > 1 && !classes.has("") ? folders : null,
      ids: kept.map(({ path, name }) => path ?? name),
      recipe: { image: size },
      notes: noteBroken(broken),
    },
    image: size,
    broken,
  };
}

/** One picture as greys of a size; null where it is none. */
export async function readPicture(blob: Blob, { width, height }: Size): Promise<Float32Array | null> {
  const bitmap = await decode({ name: "picture", blob });
  if (!bitmap) return null;
  const pen = openPaper({ width, height });
  const greys = drawGrey(pen, bitmap, { width, height });
  bitmap.close();
  return greys;
}

function openPaper({ width, height }: Size): OffscreenCanvasRenderingContext2D {
  const pen = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  if (!pen) throw new Error("this browser cannot draw pictures in a worker");
  return pen;
}

/** On white, where it is transparent. */
function drawGrey(pen: OffscreenCanvasRenderingContext2D, bitmap: ImageBitmap, { width, height }: Size): Float32Array {
  pen.fillStyle = "white";
  pen.fillRect(0, 0, width, height);
  pen.drawImage(bitmap, 0, 0, width, height);
  return toGrey(pen.getImageData(0, 0, width, height).data);
}

/** Luminance by Rec. 709, in place of colours. */
export function toGrey(rgba: ArrayLike<number>): Float32Array {
  return Float32Array.from({ length: rgba.length / 4 }, (_, p) =>
    Math.round(0.2126 * rgba[4 * p] + 0.7152 * rgba[4 * p + 1] + 0.0722 * rgba[4 * p + 2]),
  );
}

/** By the first picture that can be read. */
async function chooseSize(items: readonly Item[]): Promise<Size> {
  for (const item of items) {
    const bitmap = await decode(item);
    if (!bitmap) continue;
    const size = shrinkSize(bitmap);
    bitmap.close();
    return size;
  }
  throw new UserError(`${items[0].name} cannot be read as a picture`, "repair or remove it");
}

/** Null where it is no picture, or a damaged one. */
async function decode({ blob }: Item): Promise<ImageBitmap | null> {
  return createImageBitmap(blob).catch(() => null);
}
