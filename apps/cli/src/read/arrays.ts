import { BonmfError, DataError, readArff, readLibsvm, readMatrixMarket, readNpy } from "bonmf";
import { quoteWord } from "../args/quote.js";
import { UserError } from "../errors.js";
import { type File, readBytes } from "./bytes.js";
import type { Data, Kind, ReadOptions } from "./data.js";
import { flatten } from "./flat.js";
import { join, type Loaded, toLabels, widen } from "./loaded.js";
import { matchFeatures } from "./match.js";
import { fillMissing } from "./missing.js";
import { readNpz } from "./npz.js";
import { refuseFlags } from "./refuse.js";

export type ArrayKind = "libsvm" | "arff" | "npy" | "npz" | "market";

type Load = (bytes: Uint8Array, name: string, options: ReadOptions) => Loaded | Promise<Loaded>;

/** The width of values in memory, whatever it was in the file: that of tables. */
const precision = "f32";

const LOADERS: Record<Exclude<ArrayKind, "libsvm">, Load> = {
  arff: loadArff,
  npy: (bytes, name) => {
    const { bytes: flat, image } = flatten(bytes);
    return {
      X: readNpy(flat, { name, precision }).X,
      features: null,
      labels: null,
      ...(image && { recipe: { image } }),
    };
  },
  npz: (bytes, name, { label, signal }) => readNpz(bytes, name, label, signal),
  market: (bytes, name) => ({ X: readMatrixMarket(bytes, { name, precision }).X, features: null, labels: null }),
};

const ALLOWED: Record<ArrayKind, readonly (keyof ReadOptions)[]> = {
  libsvm: ["missing"],
  arff: ["label"],
  npy: ["missing"],
  npz: ["label", "missing"],
  market: ["missing"],
};

/** Reads files that are one matrix each, one after the other. */
export async function readArrays(kind: ArrayKind, files: readonly File[], options: ReadOptions): Promise<Data> {
  refuseFlags(kind, files[0].name, options, ALLOWED[kind]);
  const parts = kind === "libsvm" ? await loadLibsvm(files, options) : [];
  if (kind !== "libsvm") {
    for (const { path, name } of files) {
      const bytes = await readBytes({ path, name }, options);
      options.signal?.throwIfAborted();
      parts.push(await LOADERS[kind](bytes, name, options));
    }
  }
  const loaded = join(
    parts,
    files.map(({ name }) => name),
  );
  const bare = kind === "libsvm" && isUnlabelled(loaded);
  return finish(kind, bare ? { ...loaded, labels: null } : loaded, files[0].name, options);
}

/** What the user asked for, applied to what was in the files. */
export function finish(kind: Kind, loaded: Loaded, name: string, options: ReadOptions): Data {
  const { X, features, labels, ids, recipe, notes } = matchFeatures(
    fillMissing(loaded, name, options),
    name,
    options.like,
  );
  return {
    X,
    features,
    labels,
    ids: ids ?? null,
    weights: null,
    kind,
    recipe: options.like?.recipe ?? { kind, ...recipe },
    notes: notes ?? [],
  };
}

/** As it is; what needs more is read as a table. */
function loadArff(bytes: Uint8Array, name: string, { label }: ReadOptions): Loaded {
  try {
    const { X, labels, featureNames } = readArff(bytes, { name, label, precision });
    return { X, features: featureNames ?? null, labels: labels ? toLabels(labels) : null };
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    const column = error.place.featureName;
    if (error.code === "missing")
      throw new UserError(error.message, "or fill all of them: --missing zero, mean or drop");
    if (error.code !== "type" || column === undefined) throw error;
    const word = quoteWord(column);
    throw new UserError(error.message, `here that is --one-hot ${word}, --exclude ${word} or --label ${word}`);
  }
}

/** Indices count from 1; where one is 0, they count from 0 in all of the files. */
async function loadLibsvm(files: readonly File[], options: ReadOptions): Promise<Loaded[]> {
  const known = options.like?.recipe.zeroBased;
  const contents: Uint8Array[] = [];
  for (const file of files) contents.push(await readBytes(file, options));
  options.signal?.throwIfAborted();
  const load = (zeroBased: boolean) =>
    contents.map((bytes, i) => toLoaded(readLibsvm(bytes, { name: files[i].name, zeroBased, precision }), zeroBased));
  let parts: Loaded[];
  try {
    parts = load(known ?? false);
  } catch (error) {
    if (known !== undefined || !(error instanceof BonmfError) || !error.message.includes("has index 0")) throw error;
    parts = load(true);
  }
  const width = Math.max(options.like?.count ?? 0, ...parts.map(({ X }) => X.features));
  return parts.map((part) => ({ ...part, X: widen(part.X, width) }));
}

export function toLoaded({ X, labels = [] }: ReturnType<typeof readLibsvm>, zeroBased: boolean): Loaded {
  return {
    X,
    features: null,
    labels: toLabels(labels),
    recipe: { zeroBased },
    notes: zeroBased ? ["indices count from 0 here, as one is 0"] : [],
  };
}

/** A LIBSVM file without labels has 0 in their place. */
export function isUnlabelled({ labels }: Pick<Loaded, "labels">): boolean {
  return labels?.every((label) => label === 0) ?? true;
}
