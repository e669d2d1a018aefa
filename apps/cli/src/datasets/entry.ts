/** A public dataset: what it is, and its files. */
export interface Dataset {
  readonly name: string;
  readonly title: string;
  /** Who made it, for citing. */
  readonly credit: string;
  readonly licence: string;
  /** One of the paper's nine. */
  readonly paper: boolean;
  /** The first one is the main file. */
  readonly files: readonly Entry[];
}

/** A stored file: gzipped text, the same on every machine whatever its origin. */
export interface Entry {
  readonly path: string;
  readonly rows: number;
  /** Absent for documents and vocabularies. */
  readonly features?: number;
  readonly classes?: number;
  /** Approximate size of the .gz. */
  readonly bytes: number;
  /** Of the text inside. */
  readonly sha256: string;
  readonly origin: Origin;
}

/** Where a file comes from and how it is converted. */
export type Origin = {
  readonly parts: readonly Part[];
  /** The same rows at OpenML, perhaps in another order, if no other address answers. */
  readonly openml?: number;
} & (
  | {
      /** Lines of values, or ARFF. */
      readonly form: "rows";
      readonly columns: readonly string[];
      /** The column of the class; negative: from the end. */
      readonly label: number;
      readonly drop?: number;
      /** The first line holds names. */
      readonly header?: boolean;
    }
  | { readonly form: "libsvm" }
  | { readonly form: "idx"; readonly columns: readonly string[] }
  /** A MATLAB variable of square pictures by columns; `each` pictures of every class in turn. */
  | {
      readonly form: "mat";
      readonly columns: readonly string[];
      readonly variable: string;
      readonly classes: readonly number[];
      readonly each: number;
    }
  | { readonly form: "documents" | "vocabulary" | "counts"; readonly corpus: "octis" | "text-gcn" }
);

/** One file to download; all addresses serve the same bytes. */
export interface Part {
  readonly urls: readonly string[];
  readonly sha256?: string;
}
