/** What the samples are called in the session. */
export interface ViewNames {
  /** The rows in order: (mid, text) or (mid, x, j). */
  readonly rows: string;
  /** Where each of their partitions begins: (p, start). */
  readonly starts: string;
  /** The samples as sweeps read them: (partition, part, payload), or (i, x, j, normSq, norm) for Spark SQL. */
  readonly packed: string;
  /** The pinned of the partitions: (partition, asks). */
  readonly partitions: string;
}

export function nameViews(): ViewNames {
  const name = uniqueName();
  return { rows: `${name}_rows`, starts: `${name}_starts`, packed: `${name}_packed`, partitions: `${name}_partitions` };
}

/** A name that nothing else has. */
export function uniqueName(): string {
  return `bonmf_${Math.random().toString(36).slice(2, 10).padEnd(8, "0")}`;
}
