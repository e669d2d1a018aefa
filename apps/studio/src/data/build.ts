import { Dense, type Matrix, type Model, Sparse } from "bonmf";
import {
  countHoles,
  finishLoaded,
  noteRounded,
  planTable,
  type Data as Read,
  readTable,
  type Size,
  textAt,
  UserError,
} from "bonmf-data";
import { readRecipe } from "bonmf-data/recipe";
import { type Choice, chooseImage, listRoles, type Role, toOptions } from "./choice.js";
import type { MatrixSource, Source, TableSource } from "./source.js";
import { joinVectors, type VectorDocuments } from "./vectors.js";

/** Samples ready to be fitted, with what the views show of them. */
export interface Data extends Read {
  readonly name: string;
  /** What becomes of each column of a table. */
  readonly roles: readonly Role[];
  readonly texts: readonly string[] | null;
  readonly image: Size | null;
  /** Where texts are compared by vectors, which `X` then holds: what tells their topics. */
  readonly told?: VectorDocuments | undefined;
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
  const rest = { name, roles: listRoles(columns, choice, plan) };
  if (text === undefined) {
    return { ...data, ...rest, texts: null, image: chooseImage(choice, data.X.features, data.features) };
  }
  const texts = readTexts(source, text);
  const whole = { ...data, ...rest, texts, image: null };
  const asked = choice.vectors !== undefined && choice.vectorWeight !== 0;
  return asked ? joinVectors(whole, source, texts, choice) : whole;
}

function readTexts({ columns, rows, name }: TableSource, text: string): string[] {
  const column = columns.find((one) => one.name === text);
  if (!column) throw new Error(`${name} has no column "${text}"`);
  return Array.from({ length: rows }, (_, i) => textAt(column, i));
}

function buildMatrix({ kind, loaded, name, image }: MatrixSource, choice: Choice): Data {
  const data = finishLoaded(kind, { ...loaded, X: copyHoles(loaded.X) }, name, { missing: choice.missing });
  const notes = [...data.notes, ...noteRounded(data)];
  const size = choice.image === undefined && image ? image : chooseImage(choice, data.X.features, null);
  const labels = choice.label === null ? null : data.labels;
  return { ...data, notes, name, labels, roles: [], texts: null, image: size };
}

/** Other samples in the features of a model. */
export async function buildLike(source: Source, model: Model): Promise<Data> {
  const recipe = readRecipe(model.tags.recipe);
  if (!recipe) throw new Error("the run does not say how its samples were read");
  if (recipe.text && model.featureNames === null) {
    throw new UserError(
      "this run compares documents by vectors, and the page makes none",
      "save the model under Export, then: bonmf predict MODEL DATA --vectors FILE",
    );
  }
  const like = { features: model.featureNames, recipe, count: model.scaler.features };
  const rest = { name: source.name, roles: [], texts: null, image: null };
  if (source.form === "matrix") return { ...finishLoaded(source.kind, source.loaded, source.name, { like }), ...rest };
  return { ...(await readTable(source, { like })), ...rest };
}

/** Samples with the names of their features. */
export interface NamedCounts {
  readonly X: Matrix;
  readonly features: readonly string[] | null;
}

/** What people know of samples by name: of texts that are compared by vectors their words. */
export function nameCounts({ X, features, told }: Data): NamedCounts {
  return told ? { X: told.counts, features: told.vocabulary } : { X, features };
}

/** Whether a fit of one is a fit of the other: labels, names and pictures may differ. */
export function isSame(a: Data, b: Data): boolean {
  const equal = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
  const told = (data: Data) => data.told?.vocabulary;
  const same = equal([a.features, a.groups, a.dropped, told(a)], [b.features, b.groups, b.dropped, told(b)]);
  return same && isEqual(a.X, b.X) && (!a.told || isEqual(a.told.counts, b.told!.counts));
}

function isEqual(a: Matrix, b: Matrix): boolean {
  if (a.samples !== b.samples || a.features !== b.features || a.kind !== b.kind) return false;
  const lists = (X: Matrix) => (X.kind === "dense" ? [X.data] : [X.offsets, X.indices, X.values]);
  const others = lists(b);
  return lists(a).every((list, l) => list.length === others[l].length && list.every((x, p) => x === others[l][p]));
}

/** Missing values are filled in place, and the source may be read again with another choice. */
function copyHoles(X: Matrix): Matrix {
  if (countHoles(X) === 0) return X;
  if (X.kind === "dense") return new Dense(X.samples, X.features, X.data.slice());
  return new Sparse(X.samples, X.features, X.offsets, X.indices, X.values.slice());
}
