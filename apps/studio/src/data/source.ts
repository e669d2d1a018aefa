import type { Matrix } from "bonmf";
import type { Label, Loaded, NamedTable, Size } from "bonmf-data";

export type { Kind, Label, Size } from "bonmf-data";

/** What files hold before anyone has chosen what to use of it. */
export type Source = TableSource | MatrixSource;

/** Sheets of an Excel file, or tables of a zip archive, of which one is open. */
export interface Parts {
  readonly what: "sheet" | "member";
  readonly file: string;
  readonly names: readonly string[];
  readonly open: string;
}

export interface TableSource extends NamedTable {
  readonly form: "table";
  /** Vectors of the rows from a file of their own. */
  readonly vectors?: VectorFile | undefined;
  readonly files?: readonly string[] | undefined;
  readonly parts?: Parts | undefined;
}

/** Vectors that a language model made, a row for each document. */
export interface VectorFile {
  readonly name: string;
  readonly X: Matrix;
}

/** Files that are samples already: nothing is to be chosen but how to scale them. */
export interface MatrixSource {
  readonly form: "matrix";
  /** The files and folders that were opened, as the command takes them. */
  readonly files?: readonly string[] | undefined;
  /** Files that could not be read, and were left out. */
  readonly broken?: readonly string[] | undefined;
  readonly parts?: Parts | undefined;
  readonly name: string;
  readonly kind: NamedTable["kind"];
  readonly rows: number;
  readonly loaded: Loaded & { readonly ids?: readonly Label[] | null };
  /** Where samples are pictures. */
  readonly image: Size | null;
}

/** What people open; `part` is a sheet or a member, where there are several; `vectors` are those of the documents. */
export type Origin =
  | { readonly example: string }
  | { readonly items: readonly Item[]; readonly part?: string; readonly vectors?: Item };

/** A file as it was handed over; `path` is its place inside a folder. */
export interface Item {
  readonly name: string;
  readonly path?: string;
  readonly blob: Blob;
}
