import { BonmfError, type Floats, type Matrix, readNpy, Sparse } from "bonmf";
import { UserError } from "./errors.js";
import { toLabels } from "./labels.js";
import type { Loaded } from "./loaded.js";
import { flattenNpy, readNpyShape } from "./npy.js";
import { listEntries, type ZipCodec, type ZipEntry } from "./zip.js";

const SAMPLES = ["X", "data", "x", "x_train", "X_train"];
const LABELS = ["y", "labels", "label", "target", "y_train"];

interface NpzOptions {
  /** The array with the labels; by default one with a usual name. */
  readonly label?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Bytes, at most. */
  readonly budget?: number | undefined;
}

/** Reads NumPy's .npz: an array of samples, with labels beside it where there are any, or a SciPy sparse matrix. */
export async function loadNpz(
  bytes: Uint8Array,
  archive: string,
  codec: ZipCodec,
  { label, signal, budget }: NpzOptions = {},
): Promise<Loaded> {
  const arrays = new Map<string, ZipEntry>();
  for (const entry of listEntries(bytes, archive, codec, budget)) {
    if (entry.name.endsWith(".npy")) arrays.set(entry.name.slice(0, -4), entry);
  }
  if (arrays.size === 0) throw new UserError(`${archive} holds no arrays (.npy): it is not a NumPy archive`);
  const load = async (name: string) => {
    signal?.throwIfAborted();
    return (arrays.get(name) as ZipEntry).read();
  };
  const labelName = findLabels([...arrays.keys()], archive, label);
  const samples = arrays.has("indptr")
    ? { X: await readSparse(arrays, archive, load, budget) }
    : await readSamples(
        [...arrays.keys()].filter((name) => name !== labelName),
        archive,
        load,
        budget,
      );
  const labels = labelName === undefined ? null : readLabels(await load(labelName), `${archive}, ${labelName}`);
  if (labels && labels.length !== samples.X.samples) {
    throw new UserError(
      `${archive}: there are ${samples.X.samples} samples but ${labels.length} labels (${labelName})`,
    );
  }
  return { features: null, labels, ...samples };
}

type LoadArray = (name: string) => Promise<Uint8Array>;

function findLabels(names: readonly string[], archive: string, label: string | undefined): string | undefined {
  if (label === undefined) return LABELS.find((name) => names.includes(name));
  if (names.includes(label)) return label;
  throw new UserError(
    `${archive} has no array ${JSON.stringify(label)} for --label`,
    `its arrays: ${names.join(", ")}`,
  );
}

async function readSamples(
  names: readonly string[],
  archive: string,
  load: LoadArray,
  maxBytes: number | undefined,
): Promise<Pick<Loaded, "X" | "recipe">> {
  const known = SAMPLES.find((name) => names.includes(name));
  const name = known ?? (await findOnly(names, archive, load));
  const { bytes, image } = flattenNpy(await load(name));
  const { X } = readNpy(bytes, { name: `${archive}, ${name}`, precision: "f32", maxBytes });
  return { X, ...(image && { recipe: { image } }) };
}

/** The one array of two or more dimensions. */
async function findOnly(names: readonly string[], archive: string, load: LoadArray): Promise<string> {
  if (names.length === 1) return names[0];
  const found: string[] = [];
  for (const name of names) if ((readNpyShape(await load(name))?.shape.length ?? 0) > 1) found.push(name);
  if (found.length === 1) return found[0];
  throw new UserError(
    `${archive} holds ${found.length === 0 ? "no array" : `${found.length} arrays`} of samples × features: ${(found.length === 0 ? names : found).join(", ")}`,
    'call the one to read "X", as in numpy.savez(file, X=samples, y=labels)',
  );
}

/** Numbers, or NumPy's fixed-width texts: <U in UTF-32, |S in bytes, both filled up with zeros. */
function readLabels(bytes: Uint8Array, name: string): (string | number)[] {
  const head = readNpyShape(bytes);
  const [, order, letter, width] = /^([<>|=]?)([US])(\d+)$/.exec(head?.type ?? "") ?? [];
  if (!head || letter === undefined) {
    const { X } = readNpy(bytes, { name, precision: "f64" });
    if (X.features !== 1) throw new UserError(`${name} has ${X.features} columns, but labels are one a sample`);
    return [...X.toDense().data];
  }
  const size = Number(width) * (letter === "U" ? 4 : 1);
  const count = head.shape.reduce((product, n) => product * n, 1);
  if (head.end + count * size !== bytes.length) throw new UserError(`${name} is cut short or damaged`);
  const decoder = new TextDecoder();
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const labels: string[] = [];
  for (let p = head.end; p < bytes.length; p += size) {
    if (letter === "S") labels.push(decoder.decode(dropZeros(bytes.subarray(p, p + size))));
    else labels.push(readWide(view, p, Number(width), order !== ">"));
  }
  return toLabels(labels);
}

function dropZeros(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}

function readWide(view: DataView, at: number, width: number, little: boolean): string {
  let text = "";
  for (let c = 0; c < width; c++) {
    const code = view.getUint32(at + 4 * c, little);
    if (code === 0 || code > 0x10ffff) break;
    text += String.fromCodePoint(code);
  }
  return text;
}

/** scipy.sparse.save_npz of a CSR matrix. */
async function readSparse(
  arrays: ReadonlyMap<string, ZipEntry>,
  archive: string,
  load: LoadArray,
  maxBytes: number | undefined,
): Promise<Matrix> {
  const absent = ["data", "indices", "shape"].find((name) => !arrays.has(name));
  if (absent) throw new UserError(`${archive} has indptr but no ${absent}: it is not a SciPy sparse matrix`);
  const format = arrays.has("format") ? readLabels(await load("format"), `${archive}, format`)[0] : "csr";
  if (format !== "csr") {
    throw new UserError(`${archive} is a sparse matrix in the form ${format}, but only csr is read`, "save X.tocsr()");
  }
  const read = async (name: string, precision: "f32" | "f64") =>
    readNpy(await load(name), { name: `${archive}, ${name}`, precision, maxBytes }).X.toDense().data;
  const [samples, features] = await read("shape", "f64");
  const offsets = Uint32Array.from(await read("indptr", "f64"));
  const indices = Uint32Array.from(await read("indices", "f64"));
  const values = await read("data", "f32");
  sortRows(offsets, indices, values);
  try {
    return new Sparse(samples, features, offsets, indices, values);
  } catch (error) {
    if (!(error instanceof BonmfError)) throw error;
    throw new UserError(`${archive}: ${error.message}`, "save it again after X.sum_duplicates()", { cause: error });
  }
}

/** SciPy leaves the indices of a row in any order. */
function sortRows(offsets: Uint32Array, indices: Uint32Array, values: Floats): void {
  for (let i = 0; i + 1 < offsets.length; i++) {
    const row = indices.subarray(offsets[i], offsets[i + 1]);
    if (row.every((f, p) => p === 0 || row[p - 1] <= f)) continue;
    const order = [...row.keys()].sort((a, b) => row[a] - row[b]);
    const from = values.subarray(offsets[i], offsets[i + 1]);
    from.set(order.map((p) => from[p]));
    row.set(order.map((p) => row[p]));
  }
}
