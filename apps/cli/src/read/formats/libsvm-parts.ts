import { BonmfError, FormatError } from "bonmf";
import { finishLoaded, isUnlabelled, type Loaded, loadLibsvmPart, matchWidth, widenFeatures } from "bonmf-data";
import type { Data, ReadOptions } from "../data.js";
import type { File } from "../files/bytes.js";
import { readBlocks } from "../files/lines.js";
import { refuseFlags } from "./refuse-flags.js";

/** LIBSVM files in parts of at most `rows` lines. */
export async function* readLibsvmParts(
  files: readonly File[],
  options: ReadOptions,
  rows: number,
): AsyncGenerator<Data> {
  refuseFlags("libsvm", files[0].name, options, ["missing"]);
  const { like } = options;
  const found = like ? null : await scan(files, options, rows);
  const zeroBased = like ? (like.recipe.zeroBased ?? false) : found?.zeroBased === true;
  const width = options.width ?? found?.width ?? 0;
  let unlabelled = found?.unlabelled;
  for await (const { loaded, name } of readBatches(files, options, rows, zeroBased, options.width)) {
    // Decided once, so that all parts agree.
    unlabelled ??= isUnlabelled(loaded);
    const labels = unlabelled ? null : loaded.labels;
    const wide =
      like && !options.strict
        ? matchWidth(loaded, name, like.count)
        : { ...loaded, X: widenFeatures(loaded.X, like?.count ?? width) };
    yield finishLoaded("libsvm", { ...wide, labels }, name, options);
  }
}

/** A first pass: the number of features, whether indices count from 0, whether there are no labels. */
async function scan(files: readonly File[], options: ReadOptions, rows: number) {
  let last = -1;
  let zeroBased = false;
  let unlabelled = true;
  for await (const { loaded } of readBatches(files, { ...options, onProgress: undefined }, rows, true)) {
    const { X } = loaded;
    if (X.kind === "sparse") for (const f of X.indices) [last, zeroBased] = [Math.max(last, f), zeroBased || f === 0];
    unlabelled &&= isUnlabelled(loaded);
  }
  return { width: zeroBased ? last + 1 : last, zeroBased, unlabelled };
}

async function* readBatches(
  files: readonly File[],
  options: ReadOptions,
  rows: number,
  zeroBased: boolean,
  width?: number,
): AsyncGenerator<{ loaded: Loaded; name: string }> {
  for (const file of files) {
    for await (const { bytes, line } of readBlocks(file, options, rows)) {
      const loaded = readBatch(bytes, file.name, line, zeroBased, width);
      if (loaded) yield { loaded, name: file.name };
    }
  }
}

/** Undefined where all lines are blank or comments. */
function readBatch(
  bytes: Uint8Array,
  name: string,
  line: number,
  zeroBased: boolean,
  width: number | undefined,
): Loaded | undefined {
  try {
    return loadLibsvmPart(bytes, name, zeroBased, width);
  } catch (error) {
    if (!(error instanceof BonmfError)) throw error;
    if (error.code === "empty") return undefined;
    // The library counts from the batch's first line.
    throw new FormatError(
      error.message.replace(/, line (\d+)/, (_, n) => `, line ${Number(n) + line - 1}`),
      { cause: error },
    );
  }
}
