import { Dense } from "bonmf";
import { namePixels, type Size, shrinkSize, UserError } from "bonmf-data";
import type { Item, MatrixSource } from "./source.js";

/** Pictures as samples: grey on white, brought to the size of the first, a feature a pixel. Needs a canvas. */
export async function readPictures(items: readonly Item[], name: string): Promise<MatrixSource> {
  const size = await chooseSize(items[0]);
  const { width, height } = size;
  const pixels = width * height;
  const data = new Float32Array(items.length * pixels);
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) throw new Error("this browser cannot draw pictures in a worker");
  for (const [i, item] of items.entries()) {
    const bitmap = await decode(item);
    pen.fillStyle = "white";
    pen.fillRect(0, 0, width, height);
    pen.drawImage(bitmap, 0, 0, width, height);
    bitmap.close();
    data.set(toGrey(pen.getImageData(0, 0, width, height).data), i * pixels);
  }
  const folders = items.map(({ path }) => path?.split("/").at(-2) ?? "");
  const classes = new Set(folders);
  return {
    form: "matrix",
    name,
    kind: "images",
    rows: items.length,
    loaded: {
      X: new Dense(items.length, pixels, data),
      features: namePixels(size),
      labels: classes.size > 1 && !classes.has("") ? folders : null,
      ids: items.map(({ path, name }) => path ?? name),
      recipe: { image: size },
    },
    image: size,
  };
}

/** Luminance by Rec. 709, in place of colours. */
export function toGrey(rgba: ArrayLike<number>): Float32Array {
  return Float32Array.from({ length: rgba.length / 4 }, (_, p) =>
    Math.round(0.2126 * rgba[4 * p] + 0.7152 * rgba[4 * p + 1] + 0.0722 * rgba[4 * p + 2]),
  );
}

async function chooseSize(first: Item): Promise<Size> {
  return shrinkSize(await decode(first));
}

async function decode({ blob, name }: Item): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(blob);
  } catch {
    throw new UserError(`${name} cannot be read as a picture`, "repair or remove it");
  }
}
