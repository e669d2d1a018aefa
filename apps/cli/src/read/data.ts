import type { Matrix } from "bonmf";

/** What a source can be; `--kind` forces one. */
export type Kind =
  | "csv"
  | "jsonl"
  | "parquet"
  | "sql"
  | "arrow"
  | "libsvm"
  | "arff"
  | "npy"
  | "npz"
  | "market"
  | "images"
  | "text";

/** Samples with what belongs to them, one entry each. */
export interface Data {
  readonly X: Matrix;
  /** m names; null where the source has none. */
  readonly features: readonly string[] | null;
  /** The class of each sample, from the label column or the source's own labels; numbers stay numbers. */
  readonly labels: readonly (string | number)[] | null;
  readonly ids: readonly (string | number)[] | null;
  readonly weights: Float64Array | null;
  readonly kind: Kind;
  /** How the samples came to be numbers, so that others can be read the same way; kept in the model file. */
  readonly recipe: Recipe;
  /** Things worth telling the user once: constant features, dropped rows, columns left out. */
  readonly notes: readonly string[];
}

/** Everything needed to read further samples into the same features. */
export interface Recipe {
  readonly kind: Kind;
  /** Columns that were spread over one feature for each value: column → its values in order. */
  readonly categories?: Readonly<Record<string, readonly string[]>>;
  /** Fills for missing values, by column (`--missing mean`). */
  readonly fills?: Readonly<Record<string, number>>;
  readonly image?: { readonly width: number; readonly height: number };
  readonly text?: TextOptions;
  /** LIBSVM: indices count from 0. */
  readonly zeroBased?: boolean;
}

export interface TextOptions {
  /** The column that holds the text, for tables. */
  readonly column?: string;
  readonly stopWords: boolean;
  readonly minDocuments: number;
  readonly maxShare: number;
  readonly maxWords: number;
}

export interface ReadOptions {
  readonly kind?: Kind | undefined;
  readonly sql?: string | undefined;
  readonly label?: string | undefined;
  readonly id?: string | undefined;
  readonly weight?: string | undefined;
  readonly features?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Categorical columns to spread; true: all that are not numbers. */
  readonly oneHot?: readonly string[] | true | undefined;
  readonly missing?: "zero" | "mean" | "drop" | undefined;
  /** Width × height that images are brought to; by default the first one's, at most 64 × 64. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
  /** The column of a table that holds text. */
  readonly text?: string | undefined;
  readonly maxWords?: number | undefined;
  /** For predict: the features a model was fitted on, and how they were made. */
  readonly like?:
    | { readonly features: readonly string[] | null; readonly recipe: Recipe; readonly count: number }
    | undefined;
  /** Bytes that reading may take, about, for parts; default: what speed wants. */
  readonly memory?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** rows so far, and of how many where that is known; or bytes. */
  readonly onProgress?: ((done: number, total: number | null, unit: "rows" | "bytes" | "files") => void) | undefined;
}

/** Reads sources (paths, globs, folders, "-" for standard input) into one matrix. */
export type Read = (sources: readonly string[], options: ReadOptions) => Promise<Data>;

/** The same in parts of at most `rows` samples, for data larger than memory. */
export type ReadParts = (sources: readonly string[], options: ReadOptions, rows: number) => AsyncIterable<Data>;
