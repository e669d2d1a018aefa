import { Dense, type Matrix, Sparse } from "bonmf";
import { finishLoaded, planTable, type Data as Read, readTable, type Size, textAt } from "bonmf-data";
import { type Choice, chooseImage, listRoles, type Role, toOptions } from "./choice.js";
import type { MatrixSource, Source, TableSource } from "./source.js";

/** Samples ready to be fitted, with what the views show of them. */
export interface Data extends Read {
  readonly name: string;
  /** What becomes of each column of a table. */
  readonly roles: readonly Role[];
  readonly texts: readonly string[] | null;
  readonly image: Size | null;
}

export async function buildData(source: Source, choice: Choice): Promise<Data> {
  return source.form === "matrix" ? buildMatrix(source, choice) : buildTable(source, choice);
}

/** The same plan as the command's, carried out. */
async function buildTable(source: TableSource, choice: Choice): Promise<Data> {
  const { name, columns } = source;
  const options = toOptions(choice);
  const plan = choice.text === undefined ? planTable(source, options) : null;
  const data = await readTable(source, options, plan ?? undefined);
  const text = choice.text ?? plan?.text;
  const image = text === undefined ? chooseImage(choice, data.X.features, data.features) : null;
  return {
    ...data,
    name,
    roles: listRoles(columns, choice, plan),
    texts: text === undefined ? null : readTexts(source, text),
    image,
  };
}

function readTexts({ columns, rows, name }: TableSource, text: string): string[] {
  const column = columns.find((one) => one.name === text);
  if (!column) throw new Error(`${name} has no column "${text}"`);
  return Array.from({ length: rows }, (_, i) => textAt(column, i));
}

function buildMatrix({ kind, loaded, name, image }: MatrixSource, choice: Choice): Data {
  const data = finishLoaded(kind, { ...loaded, X: copyHoles(loaded.X) }, name, { missing: choice.missing });
  const size = choice.image === undefined && image ? image : chooseImage(choice, data.X.features, null);
  return { ...data, name, labels: choice.label === null ? null : data.labels, roles: [], texts: null, image: size };
}

/** Missing values are filled in place, and the source may be read again with another choice. */
function copyHoles(X: Matrix): Matrix {
  const values = X.kind === "dense" ? X.data : X.values;
  if (!values.some(Number.isNaN)) return X;
  if (X.kind === "dense") return new Dense(X.samples, X.features, X.data.slice());
  return new Sparse(X.samples, X.features, X.offsets, X.indices, X.values.slice());
}
