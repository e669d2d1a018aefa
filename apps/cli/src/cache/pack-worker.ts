import { BonmfError, DataError } from "bonmf";
import { UserError } from "../errors.js";
import { pack } from "./pack.js";
import { loadScaler } from "./pack-header.js";
import type { PackFailure, PackMessage, PackRequest } from "./pack-process.js";

/** The child process of `pack-process`: packs one source, then exits. */
const REPORT_MS = 50;
/** Time to remove unfinished files. */
const GRACE_MS = 3000;

const stop = new AbortController();

process.once("message", (request: PackRequest) => void work(request));
// The pack is no longer wanted, or the parent process is gone.
for (const event of ["disconnect", "SIGINT", "SIGTERM"]) process.on(event, end);

function end(): void {
  stop.abort(new Error("stopped"));
  setTimeout(() => process.exit(1), GRACE_MS).unref();
}

async function work({ path, scale, options, ...rest }: PackRequest): Promise<void> {
  let reported = 0;
  const onProgress = (...progress: [number, number | null, "rows" | "bytes" | "files"]) => {
    if (Date.now() - reported < REPORT_MS) return;
    reported = Date.now();
    say({ progress });
  };
  try {
    await pack(path, {
      ...rest,
      scale: typeof scale === "object" ? loadScaler(scale) : scale,
      options: { ...options, onProgress, signal: stop.signal },
      onNote: (note) => say({ note }),
    });
    leave({ done: true });
  } catch (error) {
    leave({ failure: describe(error) });
  }
}

function say(message: PackMessage): void {
  if (process.connected) process.send?.(message);
}

/** DuckDB would keep the process alive. */
function leave(message: PackMessage): void {
  if (process.connected) process.send?.(message, () => process.exit());
  else process.exit(1);
}

function describe(error: unknown): PackFailure {
  if (error instanceof UserError) return { kind: "user", message: error.message, hint: error.hint };
  if (error instanceof DataError) return { kind: "data", message: error.message, code: error.code, place: error.place };
  if (error instanceof BonmfError) return { kind: "library", message: error.message, code: error.code };
  if (error instanceof Error && /^Out of Memory Error/.test(error.message)) {
    const hint = "try a larger --memory; Parquet files with smaller row groups need less";
    return { kind: "user", message: "reading the samples takes more than the memory allowed", hint };
  }
  const { message, code } = error as NodeJS.ErrnoException;
  return { kind: "other", message, code };
}
