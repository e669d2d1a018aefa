import {
  DataError,
  type FitOptions,
  type Matrix,
  type ScaleName,
  type Scaler,
  summariseFeatures,
  takesSigned,
} from "bonmf";
import { checkValues, learnSteps, restoreScaler, runSteps } from "bonmf/engine";
import { RoundedValues, RowSample } from "bonmf-data";
import { resolveScale, scaleHints } from "bonmf-data/defaults";
import type { Data, ReadOptions } from "../read/data.js";
import type { FoundFile } from "../read/files/sources.js";
import { readParts } from "../read/read.js";
import { SpaceWatch } from "../write/space.js";
import { VERSION } from "./cache-key.js";
import { openReader } from "./file-reader.js";
import { storeScaler } from "./pack-header.js";
import { PackWriter } from "./pack-writer.js";
import { WindowedSamples } from "./windowed-samples.js";

/** The size of DuckDB's chunks. */
const ROWS = 2048;
/** Bytes of samples between two garbage collections, where --expose-gc allows them. */
const COLLECT = 2 ** 25;

/** A name, or the scaler of a model; undefined: auto. */
type AskedScale = ScaleName | "auto" | Scaler | undefined;

export interface PackOptions {
  readonly sources: readonly FoundFile[];
  readonly options: ReadOptions;
  readonly scale: AskedScale;
  /** The fit that the samples are for: it decides which scaler auto chooses, and whether values may be negative. */
  readonly fit: Pick<FitOptions, "method" | "update">;
  /** The name of the source, for messages. */
  readonly source: string;
  readonly onNote: (note: string) => void;
}

/** Reads samples once, in parts, and writes them scaled into a pack. The whole matrix is never in memory. */
export async function pack(path: string, packing: PackOptions): Promise<void> {
  const { sources, source, onNote, fit } = packing;
  const signed = takesSigned(fit.method ?? "bonmf", fit.update);
  const space = new SpaceWatch(path);
  const options: ReadOptions = {
    ...packing.options,
    onProgress: (done, total, unit) => {
      space.read(done, total);
      packing.options.onProgress?.(done, total, unit);
    },
  };
  const writer = await PackWriter.open(path);
  let raw: PackWriter | null = null;
  try {
    let first: Data | undefined;
    let scale: Exclude<AskedScale, undefined> = "auto";
    let scaler: Scaler | undefined;
    let scaleReason: string | undefined;
    const rows = new RowSample();
    const rounded = new RoundedValues();
    const collect = collector();
    for await (const data of readParts(sources, options, ROWS)) {
      const { X, features, weights, labels, ids, notes } = data;
      notes.forEach(onNote);
      if (first === undefined) {
        first = { ...data, X: X.slice(0, 0) };
        scale = packing.scale ?? "auto";
        if (typeof scale !== "string") scaler = scale;
        else if (scale === "none" || scale === "l2") scaler = restoreScaler(scale, X.features, {});
        // Other scalers must see all samples before the first can be scaled.
        else raw = await PackWriter.open(`${path}.raw`);
      }
      const into = raw ?? writer;
      if (data.kind !== "images" && data.kind !== "text") rows.add(X);
      rounded.add(X);
      check(X, into.samples, { signed: signed || scale !== "none", featureNames: features ?? undefined });
      await into.add(scaler ? transform(X, scaler, into.samples, signed) : X, raw !== null);
      await space.check(into.bytes, raw ? 1 : 0);
      await writer.note(weights, labels, ids);
      collect(X);
    }
    rounded.notes(first!.features).forEach(onNote);
    if (raw) ({ scaler, scaleReason } = await rescale(raw, writer, packing, first!, signed));
    const { kind, features: names } = first!;
    const recipe = first!.recipe.typical ? first!.recipe : rows.complete(first!.recipe, names);
    await writer.commit({ version: VERSION, source, kind, recipe, names, scaler: storeScaler(scaler!), scaleReason });
  } finally {
    await raw?.discard();
    await writer.discard();
  }
}

/** Learns the scaler from samples on disk, and writes them scaled. */
async function rescale(
  raw: PackWriter,
  writer: PackWriter,
  { scale, fit, options: { signal } }: PackOptions,
  first: Data,
  signed: boolean,
): Promise<{ scaler: Scaler; scaleReason: string | undefined }> {
  const { layout: kind, starts, ...shape } = await raw.end();
  const reader = openReader({ file: raw.temporary });
  try {
    const samples = new WindowedSamples(
      { ...shape, kind, precision: "f32", starts: Float64Array.from(starts) },
      reader,
    );
    const asked = scale as ScaleName | "auto" | undefined;
    const hints = scaleHints(first, fit);
    const chosen = resolveScale(asked, () => summariseFeatures(samples), hints);
    const weights = writer.weights ?? undefined;
    const learning = learnSteps(chosen.scale, samples, weights, hints.featureGroups ?? undefined);
    const scaler = await runSteps(learning, signal);
    const collect = collector();
    for (const window of samples.windows()) {
      signal?.throwIfAborted();
      await writer.add(transform(window, scaler, writer.samples, signed));
      collect(window);
    }
    return { scaler, scaleReason: chosen.reason ?? undefined };
  } finally {
    reader.close();
  }
}

function transform(X: Matrix, scaler: Scaler, before: number, signed: boolean): Matrix {
  const scaled = scaler.transform(X);
  if (scaled !== X || !signed) check(scaled, before, { signed });
  return scaled;
}

/** @param before the number of samples before these */
function check(X: Matrix, before: number, how: Parameters<typeof checkValues>[1]): void {
  try {
    checkValues(X, how);
  } catch (error) {
    if (!(error instanceof DataError) || error.place.sample === undefined) throw error;
    const sample = before + error.place.sample;
    const message = error.message.replace(/^sample \d+/, `sample ${sample}`);
    throw new DataError(error.code, message, { ...error.place, sample });
  }
}

/** Matrices and DuckDB's chunks are freed with their JavaScript objects, which look small to the garbage collector. */
function collector(): (X: Matrix) => void {
  let bytes = 0;
  return (X) => {
    bytes += X.kind === "dense" ? X.data.byteLength : X.values.byteLength + X.indices.byteLength;
    if (bytes < COLLECT) return;
    bytes = 0;
    globalThis.gc?.();
  };
}
