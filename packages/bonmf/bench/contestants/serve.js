// The contestant's end of the conversation (process.js has the other): a task's `load` returns its `run`.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

export async function serve(tasks) {
  const load = tasks[process.argv[2]];
  let run = null;
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    try {
      if (run) say(await run(request));
      else {
        run = await load(request);
        say({});
      }
    } catch (error) {
      say({ error: error.message });
    }
  }
  process.exit();
}

function say(report) {
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

/** Seconds that the work takes, and what it returns. */
export async function time(work) {
  const began = performance.now();
  const result = await work();
  return { seconds: (performance.now() - began) / 1000, result };
}

/** Keeps labels (or the numbers of neighbours) where the referee looks for them. */
export function writeLabels(path, labels) {
  writeFileSync(path, new Uint8Array(Int32Array.from(labels).buffer));
}
