import { Dense, type Matrix, Sparse } from "bonmf";
import { finishLoaded, type Data as Read, readTable, type Size, type TableOptions, textAt } from "bonmf-data";
import type { Choice } from "./choice.js";
import type { MatrixSource, Source, TableSource } from "./source.js";

/** Samples ready to be fitted, with what the views show of them. */
export interface Data extends Read {
  readonly name: string;
  readonly texts: readonly string[] | null;
  readonly image: Size | null;
}

export async function buildData(source: Source, choice: Choice): Promise<Data> {
  const { name } = source;
  if (source.form === "matrix") return { ...buildMatrix(source, choice), name, texts: null };
  if (choice.text !== null) return { ...(await buildText(source, choice)), name, image: null };
  const data = await readTable(source, toOptions(choice));
  return { ...data, name, texts: null, image: fitSize(choice.image, data.X.features) };
}

/** The command's flags for a choice. */
function toOptions({ label, id, text, exclude, oneHot, missing }: Choice): TableOptions {
  return {
    label: label ?? undefined,
    id: id ?? undefined,
    text: text ?? undefined,
    exclude,
    oneHot: oneHot.length > 0 ? oneHot : undefined,
    missing: missing ?? undefined,
    // The choice says it all.
    strict: true,
  };
}

function buildMatrix({ kind, loaded, name }: MatrixSource, { label, missing, image }: Choice) {
  const samples = { ...loaded, X: missing === null ? loaded.X : copy(loaded.X) };
  const data = finishLoaded(kind, samples, name, { missing: missing ?? undefined });
  return { ...data, labels: label === null ? null : data.labels, image: fitSize(image, data.X.features) };
}

/** Missing values are filled in place, and the source may be read again with another choice. */
function copy(X: Matrix): Matrix {
  if (X.kind === "dense") return new Dense(X.samples, X.features, X.data.slice());
  return new Sparse(X.samples, X.features, X.offsets, X.indices, X.values.slice());
}

async function buildText(source: TableSource, choice: Choice): Promise<Read & { texts: readonly string[] }> {
  const column = source.columns.find(({ name }) => name === choice.text);
  if (!column) throw new Error(`${source.name} has no column "${choice.text}"`);
  const texts = Array.from({ length: source.rows }, (_, i) => textAt(column, i));
  return { ...(await readTable(source, toOptions(choice))), texts };
}

function fitSize(image: Size | null, features: number): Size | null {
  return image && image.width * image.height === features ? image : null;
}
