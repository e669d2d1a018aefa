/** What a source can be. */
export const KINDS = [
  "csv",
  "jsonl",
  "parquet",
  "sql",
  "arrow",
  "xlsx",
  "sqlite",
  "libsvm",
  "arff",
  "npy",
  "npz",
  "market",
  "images",
  "text",
] as const;

export type Kind = (typeof KINDS)[number];
