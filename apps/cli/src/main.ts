import { constants } from "node:os";
import { prepareRun } from "./run.js";

const stop = new AbortController();
const interruption = { signal: stop.signal, code: 0 };

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    // The second signal ends a command that did not react to the first.
    if (interruption.code !== 0) process.exit(interruption.code);
    interruption.code = 128 + constants.signals[signal];
    stop.abort(new Error("interrupted"));
  });
}
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // The reader closed the pipe: `bonmf … | head`.
  if (error.code === "EPIPE") process.exit(0);
  // The terminal is gone; the command saves what it has and ends.
  if (interruption.code !== 0) return;
  process.stderr.write(`error: the results could not be written to standard output: ${error.message}\n`);
  process.exit(1);
});
process.stderr.on("error", () => {});

const run = prepareRun(process.argv.slice(2), process, interruption);
process.on("uncaughtException", (error) => void run.fail(error).then((code) => process.exit(code)));
const code = await run.start();
// Flush the output, then exit: idle threads and DuckDB would keep the process alive.
process.stdout.write("", (error) => {
  if (!error || interruption.code !== 0) process.exit(code);
});
