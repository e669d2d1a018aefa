import type { Label, Loaded, NamedTable, Size } from "bonmf-data";

export type { Kind, Label, Size } from "bonmf-data";

/** What files hold before anyone has chosen what to use of it. */
export type Source = TableSource | MatrixSource;

export interface TableSource extends NamedTable {
  readonly form: "table";
}

/** Files that are samples already: nothing is to be chosen but how to scale them. */
export interface MatrixSource {
  readonly form: "matrix";
  readonly name: string;
  readonly kind: NamedTable["kind"];
  readonly rows: number;
  readonly loaded: Loaded & { readonly ids?: readonly Label[] | null };
  /** Where samples are pictures. */
  readonly image: Size | null;
}

/** A file as it was handed over; `path` is its place inside a folder. */
export interface Item {
  readonly name: string;
  readonly path?: string;
  readonly blob: Blob;
}
