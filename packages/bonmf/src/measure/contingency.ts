import { checkLabels, encode, type Label, type Labels } from "./labels.js";

/** How many samples class `row` and cluster `col` share; never zero. */
export interface Cell {
  row: number;
  col: number;
  count: number;
}

/** Classes against clusters. Only shared cells are stored, so two lists of a million singletons still fit. */
export interface Contingency {
  samples: number;
  classes: Label[];
  clusters: Label[];
  classSizes: Float64Array;
  clusterSizes: Float64Array;
  /** Row by row: sums over cells do not depend on the order of the samples. */
  cells: Cell[];
}

export function tabulate(truth: Labels, clusters: Labels): Contingency {
  checkLabels(truth, clusters);
  const rows = encode(truth);
  const cols = encode(clusters);
  const width = cols.names.length;
  const counts = new Map<number, number>();
  for (let i = 0; i < truth.length; i++) {
    const key = rows.codes[i] * width + cols.codes[i];
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return {
    samples: truth.length,
    classes: rows.names,
    clusters: cols.names,
    classSizes: rows.sizes,
    clusterSizes: cols.sizes,
    cells: [...counts]
      .sort((a, b) => a[0] - b[0])
      .map(([key, count]) => ({ row: Math.floor(key / width), col: key % width, count })),
  };
}

/** The two labelings are one partition under different names. */
export function isSame({ classes, clusters, cells }: Contingency): boolean {
  return cells.length === classes.length && cells.length === clusters.length;
}
