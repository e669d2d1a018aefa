import { Dense, type Matrix, Sparse } from "bonmf";
import type { Label } from "./data.js";
import { UserError } from "./errors.js";
import type { Recipe } from "./recipe.js";

/** What one file of arrays holds, before the user's wishes are applied. */
export interface Loaded {
  readonly X: Matrix;
  readonly features: readonly string[] | null;
  readonly labels: readonly Label[] | null;
  readonly ids?: readonly Label[] | null;
  readonly recipe?: Omit<Recipe, "kind">;
  readonly notes?: readonly string[];
}

/** One file after the other; all must have the same features and all or none have labels. */
export function joinLoaded(parts: readonly Loaded[], names: readonly string[]): Loaded {
  if (parts.length === 1) return parts[0];
  const [first] = parts;
  for (const [i, part] of parts.entries()) {
    if (part.X.kind !== first.X.kind) {
      throw new UserError(
        `${names[0]} is ${first.X.kind} but ${names[i]} is ${part.X.kind}`,
        "read them one at a time",
      );
    }
    if (part.X.features !== first.X.features) {
      throw new UserError(
        `${names[0]} has ${first.X.features} features but ${names[i]} has ${part.X.features}`,
        "files read together must have the same features",
      );
    }
    const other = part.features?.findIndex((name, f) => name !== first.features?.[f]) ?? -1;
    if (other >= 0) {
      throw new UserError(
        `feature ${other + 1} is ${JSON.stringify(first.features?.[other])} in ${names[0]} ` +
          `but ${JSON.stringify(part.features?.[other])} in ${names[i]}`,
        "files read together must have the same features in the same order",
      );
    }
    if ((part.labels === null) !== (first.labels === null)) {
      const [without, having] = first.labels === null ? [0, i] : [i, 0];
      throw new UserError(`${names[having]} has labels but ${names[without]} has none`, "read them one at a time");
    }
  }
  return {
    X: joinMatrices(parts.map(({ X }) => X)),
    features: first.features,
    labels: first.labels && parts.flatMap(({ labels }) => labels ?? []),
    ids: first.ids ? parts.flatMap(({ ids }) => ids ?? []) : null,
    ...(first.recipe && { recipe: first.recipe }),
    notes: [...new Set(parts.flatMap(({ notes }) => notes ?? []))],
  };
}

function joinMatrices(parts: readonly Matrix[]): Matrix {
  const samples = parts.reduce((sum, X) => sum + X.samples, 0);
  const { features } = parts[0];
  const dense = parts.filter((X) => X.kind === "dense");
  if (dense.length === parts.length) {
    const data = new Float32Array(samples * features);
    let at = 0;
    for (const X of dense) {
      data.set(X.data, at);
      at += X.data.length;
    }
    return new Dense(samples, features, data);
  }
  const sparse = parts.filter((X) => X.kind === "sparse");
  const stored = sparse.reduce((sum, X) => sum + X.values.length, 0);
  const offsets = new Uint32Array(samples + 1);
  const indices = new Uint32Array(stored);
  const values = new Float32Array(stored);
  let row = 0;
  let at = 0;
  for (const X of sparse) {
    for (let i = 1; i <= X.samples; i++) offsets[row + i] = at + X.offsets[i];
    indices.set(X.indices, at);
    values.set(X.values, at);
    row += X.samples;
    at += X.values.length;
  }
  return new Sparse(samples, features, offsets, indices, values);
}

/** The same sparse samples with room for more features. */
export function widenFeatures(X: Matrix, features: number): Matrix {
  if (X.kind === "dense" || X.features >= features) return X;
  return new Sparse(X.samples, features, X.offsets, X.indices, X.values);
}

/** Sparse samples brought to the features of a model: missing ones are 0, and further ones are not used, with a note. */
export function matchWidth(loaded: Loaded, name: string, count: number): Loaded {
  const { X, notes = [] } = loaded;
  if (X.features <= count) return { ...loaded, X: widenFeatures(X, count) };
  const wanted = Array.from({ length: count }, (_, f) => f);
  const note = `${name} has features beyond the ${count} of the model, which does not use them`;
  return { ...loaded, X: selectFeatures(X, wanted), notes: [...notes, note] };
}

/** The named columns in that order. */
export function selectFeatures(X: Matrix, wanted: readonly number[]): Matrix {
  if (wanted.length === X.features && wanted.every((f, at) => f === at)) return X;
  if (X.kind === "dense") {
    const out = Dense.zeros(X.samples, wanted.length, X.precision);
    for (let i = 0, p = 0; i < X.samples; i++) for (const f of wanted) out.data[p++] = X.data[i * X.features + f];
    return out;
  }
  const places = new Int32Array(X.features).fill(-1);
  for (const [at, f] of wanted.entries()) places[f] = at;
  const rows = function* () {
    for (let i = 0; i < X.samples; i++) {
      const row: [number, number][] = [];
      X.each(i, (f, value) => places[f] >= 0 && row.push([places[f], value]));
      yield row;
    }
  };
  return Sparse.from(rows(), wanted.length, X.precision);
}
