import { explainStorage } from "../read/duckdb/storage.js";
import { sendError } from "../read/thread-error.js";
import { pack } from "./pack.js";
import { loadScaler } from "./pack-header.js";
import type { PackMessage, PackRequest } from "./pack-process.js";

/** The child process of `pack-process`: packs one source, then exits. */
const REPORT_MS = 50;
/** Time to remove unfinished files. */
const GRACE_MS = 3000;

const stop = new AbortController();

process.once("message", (request: PackRequest) => void work(request));
// The pack is no longer wanted, or the parent process is gone.
for (const event of ["disconnect", "SIGINT", "SIGTERM", "SIGHUP"]) process.on(event, end);

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
    leave({ failure: sendError(explainStorage(error) ?? error) });
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
