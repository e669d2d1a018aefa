/** A public dataset: what it is, and its files. */
export interface Dataset {
  readonly name: string;
  readonly title: string;
  /** Who made it, for citing. */
  readonly credit: string;
  readonly licence: string;
  /** One of the paper's nine. */
  readonly paper: boolean;
  /** The first one is what the name alone stands for. */
  readonly files: readonly Entry[];
}

/** A file as it is kept: gzipped text, the same on every machine whatever address the data came from. */
export interface Entry {
  readonly path: string;
  readonly rows: number;
  /** Absent for what are no samples: documents, vocabularies. */
  readonly features?: number;
  readonly classes?: number;
  /** Of the .gz, about. */
  readonly bytes: number;
  /** Of the text inside. */
  readonly sha256: string;
  readonly origin: Origin;
}

/** Where a file comes from and what has to be done with it. */
export type Origin = {
  readonly parts: readonly Part[];
  /** The same rows as OpenML has them, for when no other address answers; in another order perhaps. */
  readonly openml?: number;
} & (
  | {
      /** Lines of values, or ARFF. */
      readonly form: "rows";
      readonly columns: readonly string[];
      /** Where the class stands: from the end when below 0. */
      readonly label: number;
      readonly drop?: number;
      /** The first line holds names. */
      readonly header?: boolean;
    }
  | { readonly form: "libsvm" }
  | { readonly form: "idx"; readonly columns: readonly string[] }
  /** A MATLAB variable of square pictures, column by column; `classes` in turn have `each` of them. */
  | {
      readonly form: "mat";
      readonly columns: readonly string[];
      readonly variable: string;
      readonly classes: readonly number[];
      readonly each: number;
    }
  | { readonly form: "documents" | "vocabulary" | "counts"; readonly corpus: "octis" | "text-gcn" }
);

/** One file to download; all addresses serve the same bytes. The sha256 is given only where it is known for them. */
export interface Part {
  readonly urls: readonly string[];
  readonly sha256?: string;
}
