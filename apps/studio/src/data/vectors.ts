import { blendVectors, type Matrix, type Sparse } from "bonmf";
import { findLists, type Data as Read, readTable, UserError } from "bonmf-data";
import type { Choice } from "./choice.js";
import { openItems } from "./open.js";
import type { OnFile } from "./picture.js";
import type { Item, Source, TableSource, VectorFile } from "./source.js";

/** Documents that are compared by vectors too: what tells their topics. */
export interface VectorDocuments {
  readonly counts: Sparse;
  readonly vocabulary: readonly string[];
  readonly documents: readonly string[];
  readonly vectors: Matrix;
  /** How much vectors count. */
  readonly weight: number;
}

const EVEN = 0.5;
const NUMBERS = "give a list of finite numbers for each document, all of the same length";

/** Files, and beside them the vectors of their rows. */
export async function openWithVectors(
  items: readonly Item[],
  part: string | undefined,
  vectors: Item | undefined,
  onFile?: OnFile,
): Promise<Source> {
  const source = await openItems(items, part, onFile);
  if (!vectors) return source;
  if (source.form !== "table") throw new UserError(`${source.name} holds no texts`, "vectors are those of texts");
  const file = await readVectorFile(vectors);
  checkVectors(file.X, file.name, source.rows);
  return { ...source, vectors: file };
}

/** Vectors from a file: an array, or a table of numbers alone. */
async function readVectorFile(item: Item): Promise<VectorFile> {
  const { name } = item;
  const source = await openItems([item]);
  const X =
    source.form === "matrix" ? source.loaded.X : await explain(readTable(source, { noLabel: true, strict: true }));
  return { name, X };
}

/** Documents as they are compared, where a choice names their vectors: words stay beside, to tell them by. */
export async function joinVectors<T extends Read>(
  data: T,
  source: TableSource,
  documents: readonly string[],
  choice: Choice,
): Promise<T & { readonly told: VectorDocuments }> {
  const name = choice.vectors!;
  const fromFile = source.vectors?.name === name;
  const vectors = fromFile ? source.vectors!.X : await readColumn(source, name);
  checkVectors(vectors, name, documents.length);
  const weight = choice.vectorWeight ?? EVEN;
  const counts = data.X as Sparse;
  const { text } = data.recipe;
  return {
    ...data,
    X: blendVectors(counts, vectors, weight),
    features: null,
    notes: [
      ...data.notes,
      `texts are compared ${weight === 1 ? "" : "by their words and "}by vectors of ${vectors.features} numbers (${name})`,
    ],
    recipe: text && !fromFile ? { ...data.recipe, text: { ...text, vectors: name } } : data.recipe,
    told: { counts, vocabulary: data.features!, documents, vectors, weight },
  };
}

async function readColumn(source: TableSource, column: string): Promise<Matrix> {
  const features = findLists(source.columns).get(column);
  if (!features) throw new UserError(`${source.name} has no column of lists "${column}"`);
  return explain(readTable(source, { features, noLabel: true, strict: true }));
}

/** Remedies of the reader are about samples, not about vectors. */
async function explain(read: Promise<Read>): Promise<Matrix> {
  try {
    return (await read).X;
  } catch (error) {
    throw error instanceof UserError ? new UserError(`the vectors: ${error.message}`, NUMBERS) : error;
  }
}

function checkVectors(X: Matrix, name: string, documents: number): void {
  const count = (n: number) => n.toLocaleString("en");
  if (X.samples !== documents) {
    throw new UserError(
      `${name} has ${count(X.samples)} vectors, but there are ${count(documents)} documents`,
      "give one vector for each document, in the same order",
    );
  }
  if (X.features < 2) throw new UserError(`${name} has one number for each document, which is no vector`, NUMBERS);
}
