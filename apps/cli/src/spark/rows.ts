import { type SparkOptions, type SparkSource, sparkEngine } from "bonmf-spark";
import type { Call } from "../command.js";

/** Rows on a cluster, for fits. */
export interface Rows {
  readonly source: SparkSource;
  /** Aborted by Ctrl-C, or when the server is lost: see its reason. */
  readonly signal: AbortSignal;
}

/** Opens rows on a cluster, which checks them. */
export async function openRows({ terminal, signal: asked }: Call, place: SparkOptions): Promise<Rows> {
  const lost = new AbortController();
  const signal = AbortSignal.any([asked, lost.signal]);
  const progress = terminal.progress("checking the rows");
  progress.update(0, null, "");
  const onNote = (note: string) => terminal.note(`note: ${note}`);
  const source = await sparkEngine({ ...place, onNote, lost, signal }).finally(() => progress.end());
  return { source, signal };
}
