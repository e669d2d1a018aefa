import { type SparkOptions, type SparkSource, sparkEngine } from "bonmf-spark";
import type { Call } from "../command.js";

/** Rows on a cluster, for fits. */
export interface Rows {
  readonly source: SparkSource;
  /** Aborted by Ctrl-C, and when the server goes away: its reason tells which. */
  readonly signal: AbortSignal;
}

/** Looks at rows on a cluster; what they are is checked there. */
export async function openRows({ terminal, signal: asked }: Call, place: SparkOptions): Promise<Rows> {
  const lost = new AbortController();
  const signal = AbortSignal.any([asked, lost.signal]);
  const progress = terminal.progress("looking at the rows");
  progress.update(0, null, "");
  const onNote = (note: string) => terminal.note(`note: ${note}`);
  const source = await sparkEngine({ ...place, onNote, lost, signal }).finally(() => progress.end());
  return { source, signal };
}
