import { BonmfError, FormatError } from "bonmf";
import { finishLoaded, isUnlabelled, loadLibsvmPart, widenFeatures } from "bonmf-data";
import type { Data, ReadOptions } from "../data.js";
import type { File } from "../files/bytes.js";
import { readBlocks } from "../files/lines.js";
import { refuseFlags } from "./refuse-flags.js";

/** Slices samples that are in memory. */
export function* slice(data: Data, rows: number): Generator<Data> {
  const { X, labels, ids, weights } = data;
  for (let from = 0; from < X.samples; from += rows) {
    const to = Math.min(from + rows, X.samples);
    yield {
      ...data,
      X: X.slice(from, to),
      labels: labels?.slice(from, to) ?? null,
      ids: ids?.slice(from, to) ?? null,
      weights: weights?.slice(from, to) ?? null,
      notes: from === 0 ? data.notes : [],
    };
  }
}

/** LIBSVM files in parts of at most `rows` lines, for a model whose number of features is known. */
export async function* readLibsvmParts(
  files: readonly File[],
  options: ReadOptions & { like: object },
  rows: number,
): AsyncGenerator<Data> {
  const { like } = options;
  refuseFlags("libsvm", files[0].name, options, ["missing"]);
  let bare: boolean | undefined;
  for (const file of files) {
    for await (const { bytes, line } of readBlocks(file, options, rows)) {
      const loaded = readBlock(bytes, file.name, line, like.recipe.zeroBased ?? false);
      if (!loaded) continue;
      // Decided once, so that all parts agree.
      bare ??= isUnlabelled(loaded);
      const wide = { ...loaded, X: widenFeatures(loaded.X, like.count), ...(bare && { labels: null }) };
      yield finishLoaded("libsvm", wide, file.name, options);
    }
  }
}

/** Undefined where all lines are blank or comments. */
function readBlock(bytes: Uint8Array, name: string, line: number, zeroBased: boolean) {
  try {
    return loadLibsvmPart(bytes, name, zeroBased);
  } catch (error) {
    if (!(error instanceof BonmfError)) throw error;
    if (error.code === "empty") return undefined;
    // The library counts from the block's first line.
    throw new FormatError(
      error.message.replace(/, line (\d+)/, (_, n) => `, line ${Number(n) + line - 1}`),
      { cause: error },
    );
  }
}
