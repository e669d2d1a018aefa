import { BonmfError, DataError } from "bonmf";
import { UserError } from "../errors.js";
import type { Failure, Order, Word } from "./apart.js";
import { revealScaler } from "./header.js";
import { pack } from "./pack.js";

/** The other side of `apart`: a process that packs and ends. */
const TELL_MS = 50;
/** Time to remove what was written. */
const GRACE_MS = 3000;

const stop = new AbortController();

process.once("message", (order: Order) => void work(order));
// Nobody wants the pack any more, or whoever did is gone.
for (const event of ["disconnect", "SIGINT", "SIGTERM"]) process.on(event, end);

function end(): void {
  stop.abort(new Error("stopped"));
  setTimeout(() => process.exit(1), GRACE_MS).unref();
}

async function work({ path, scale, options, ...rest }: Order): Promise<void> {
  let told = 0;
  const onProgress = (...progress: [number, number | null, "rows" | "bytes" | "files"]) => {
    if (Date.now() - told < TELL_MS) return;
    told = Date.now();
    say({ progress });
  };
  try {
    await pack(path, {
      ...rest,
      scale: typeof scale === "object" ? revealScaler(scale) : scale,
      options: { ...options, onProgress, signal: stop.signal },
      onNote: (note) => say({ note }),
    });
    leave({ done: true });
  } catch (error) {
    leave({ failure: describe(error) });
  }
}

function say(word: Word): void {
  if (process.connected) process.send?.(word);
}

/** The database would keep the process alive. */
function leave(word: Word): void {
  if (process.connected) process.send?.(word, () => process.exit());
  else process.exit(1);
}

function describe(error: unknown): Failure {
  if (error instanceof UserError) return { kind: "user", message: error.message, hint: error.hint };
  if (error instanceof DataError) return { kind: "data", message: error.message, code: error.code, place: error.place };
  if (error instanceof BonmfError) return { kind: "library", message: error.message, code: error.code };
  if (error instanceof Error && /^Out of Memory Error/.test(error.message)) {
    const hint = "give it more --memory; Parquet files with smaller row groups need less";
    return { kind: "user", message: "reading the samples takes more memory than it may", hint };
  }
  const { message, code } = error as NodeJS.ErrnoException;
  return { kind: "other", message, code };
}
