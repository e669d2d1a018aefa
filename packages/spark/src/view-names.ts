/** The session's views of the samples. */
export interface ViewNames {
  /** The rows in order: (mid, text) or (mid, x, j). */
  readonly rows: string;
  /** The first row of each Spark partition: (p, start). */
  readonly starts: string;
  /** The samples as sweeps read them: (partition_id, chunk, payload), or (i, x, j, normSq, norm) for Spark SQL. */
  readonly packed: string;
  /** The pinned view of the partitions: (partition_id, asks). */
  readonly partitions: string;
}

export function nameViews(): ViewNames {
  const name = uniqueName();
  return { rows: `${name}_rows`, starts: `${name}_starts`, packed: `${name}_packed`, partitions: `${name}_partitions` };
}

/** A name not used by any other view. */
export function uniqueName(): string {
  return `bonmf_${Math.random().toString(36).slice(2, 10).padEnd(8, "0")}`;
}
