import { UserError } from "../../errors.js";
import type { Kind, ReadOptions } from "../data.js";

const TABLES = "CSV, JSON lines, Parquet, Arrow and ARFF";

/** Stops at flags that a source without columns cannot follow, rather than to pass over them. */
export function refuseFlags(
  kind: Kind,
  name: string,
  options: ReadOptions,
  allowed: readonly (keyof ReadOptions)[],
): void {
  const flags = {
    label: "label",
    id: "id",
    weight: "weight",
    features: "features",
    exclude: "exclude",
    oneHot: "one-hot",
    numbers: "numbers",
    missing: "missing",
    text: "text",
  } as const;
  for (const [key, flag] of Object.entries(flags) as [keyof typeof flags, string][]) {
    if (options[key] === undefined || allowed.includes(key)) continue;
    const hint = key === "label" ? LABELS[kind] : undefined;
    throw new UserError(
      `--${flag} is for tables (${TABLES}), but ${name} is ${NAMES[kind] ?? kind}`,
      hint ?? `omit --${flag}`,
    );
  }
}

const NAMES: Partial<Record<Kind, string>> = {
  libsvm: "a LIBSVM file",
  npy: "a NumPy array",
  npz: "a NumPy archive",
  market: "a Matrix Market file",
  images: "a picture",
  text: "plain text",
};

const LABELS: Partial<Record<Kind, string>> = {
  libsvm: "a LIBSVM file has its labels at the beginning of the lines: omit --label",
  npy: "put the labels beside the samples: numpy.savez(file, X=X, y=y)",
};
