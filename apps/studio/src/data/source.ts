import type { Matrix } from "bonmf";
import type { Column } from "./column.js";

/** The command's names for kinds of files, those that a page can read. */
export type Kind = "csv" | "jsonl" | "parquet" | "libsvm" | "arff" | "npy" | "market" | "images" | "text";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What files hold before anyone has chosen what to use of it. */
export type Source = TableSource | MatrixSource;

export interface TableSource {
  readonly form: "table";
  readonly name: string;
  readonly kind: Kind;
  readonly rows: number;
  readonly columns: readonly Column[];
}

/** Samples, with what belongs to them. */
export interface Samples {
  readonly name: string;
  readonly kind: Kind;
  readonly X: Matrix;
  readonly features: readonly string[] | null;
  readonly labels: readonly Label[] | null;
  readonly ids: readonly Label[] | null;
  readonly image: Size | null;
}

/** Files that are samples already: nothing is to be chosen but how to scale them. */
export interface MatrixSource extends Samples {
  readonly form: "matrix";
  readonly rows: number;
  readonly zeroBased?: boolean;
}

export type Label = string | number;

/** A file as it was handed over; `path` is its place inside a folder. */
export interface Item {
  readonly name: string;
  readonly path?: string;
  readonly blob: Blob;
}

/** Texts that are all numbers become numbers. */
export function toLabels(labels: readonly string[]): Label[] {
  return labels.every((label) => /^[+-]?\d+(\.\d+)?$/.test(label)) ? labels.map(Number) : [...labels];
}
