import type { Call } from "../command.js";
import type { Data, ReadOptions } from "../read/data.js";
import { readOptions } from "../read/options.js";

export interface Loaded {
  readonly data: Data;
  readonly seconds: number;
  /** The name of the source, for messages. */
  readonly source: string;
}

/** Reads the samples of a command with a progress bar, and prints the reader's notes. */
export async function load(call: Call, more: Partial<ReadOptions> = {}): Promise<Loaded> {
  const start = performance.now();
  const options = { ...readOptions(call), ...more };
  const progress = call.terminal.progress("reading");
  try {
    const { readData } = await import("../read/read.js");
    const reading = readData(call.args, {
      ...options,
      onProgress: (done, total, unit) => progress.update(done, total, unit),
    });
    const data = await orAbort(reading, call.signal);
    progress.end();
    for (const note of data.notes) call.terminal.note(`note: ${note}`);
    return { data, seconds: (performance.now() - start) / 1000, source: nameSource(call) };
  } finally {
    progress.end();
  }
}

/** Time for an interrupted reader to clean up after itself. */
const GRACE_MS = 500;

/** Ends soon after the signal even if the work itself ignores it. */
async function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => void setTimeout(() => reject(signal.reason), GRACE_MS);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop);
  });
  aborted.catch(() => {});
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
    work.catch(() => {});
  }
}

export function nameSource({ args, options }: Call): string {
  if (args.length === 0) return options.string("sql") ?? "";
  const names = args.map((arg) => (arg === "-" ? "standard input" : arg));
  return names.length > 3 ? `${names.slice(0, 2).join(", ")} and ${names.length - 2} more` : names.join(", ");
}
