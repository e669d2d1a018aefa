import {
  finishLoaded,
  isUnlabelled,
  joinLoaded,
  type Loaded,
  loadArff,
  loadLibsvm,
  loadMarket,
  loadNpy,
  loadNpz,
  matchWidth,
  widenFeatures,
} from "bonmf-data";
import type { Data, ReadOptions } from "../data.js";
import { type File, readBytes } from "../files/bytes.js";
import { zlib } from "../files/zip.js";
import { refuseFlags } from "./refuse-flags.js";

export type ArrayKind = "libsvm" | "arff" | "npy" | "npz" | "market";

type Load = (bytes: Uint8Array, name: string, options: ReadOptions) => Loaded | Promise<Loaded>;

const LOADERS: Record<Exclude<ArrayKind, "libsvm">, Load> = {
  arff: (bytes, name, { label }) => loadArff(bytes, name, label),
  npy: loadNpy,
  npz: (bytes, name, options) => loadNpz(bytes, name, zlib, options),
  market: loadMarket,
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
  const parts = kind === "libsvm" ? await readLibsvmFiles(files, options) : [];
  if (kind !== "libsvm") {
    for (const { path, name } of files) {
      const bytes = await readBytes({ path, name }, options);
      options.signal?.throwIfAborted();
      parts.push(await LOADERS[kind](bytes, name, options));
    }
  }
  const loaded = joinLoaded(
    parts,
    files.map(({ name }) => name),
  );
  const bare = kind === "libsvm" && isUnlabelled(loaded);
  return finishLoaded(kind, bare ? { ...loaded, labels: null } : loaded, files[0].name, options);
}

async function readLibsvmFiles(files: readonly File[], options: ReadOptions): Promise<Loaded[]> {
  const contents: { name: string; bytes: Uint8Array }[] = [];
  for (const file of files) contents.push({ name: file.name, bytes: await readBytes(file, options) });
  options.signal?.throwIfAborted();
  const { like, strict, width: given } = options;
  const parts = loadLibsvm(contents, like?.recipe.zeroBased, given);
  if (like && !strict) return parts.map((part, i) => matchWidth(part, files[i].name, like.count));
  const width = Math.max(like?.count ?? 0, ...parts.map(({ X }) => X.features));
  return parts.map((part) => ({ ...part, X: widenFeatures(part.X, width) }));
}
