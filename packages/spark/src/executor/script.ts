// What Spark's tasks run: one file, sent to the executors. The first word says what to do with the rows on stdin.
import type { Precision } from "bonmf";
import { addressOf, connectDaemon, runDaemon } from "./daemon.js";
import { labelRows } from "./label-rows.js";
import { mergeTotals } from "./merge-totals.js";
import { packRows, RowPacker } from "./pack-rows.js";
import { type Memory, serveTask, streamTask } from "./task.js";

const JOBS = new Map(
  Object.entries<(...words: string[]) => Promise<void>>({
    async probe() {
      process.stdin.resume();
      process.stdout.write(`${process.version}\n`);
    },

    async pack(precision, features, sparse, most) {
      const format = { precision: precision as Precision, features: Number(features), sparse: sparse === "sparse" };
      await packRows(process.stdin, process.stdout, new RowPacker(format, Number(most)));
    },

    async label() {
      await labelRows(process.stdin, process.stdout);
    },

    async stream(most) {
      await streamTask(process.stdin, process.stdout, Number(most));
    },

    async merge() {
      await mergeTotals(process.stdin, process.stdout);
    },

    async daemon(address, executor) {
      const memory: Memory = { partition: null };
      runDaemon(address, Number(executor), (lines, output) => serveTask(lines, output, memory));
    },

    /** Passes a task on to the partition's daemon, and its answer back to Spark. */
    async sweep(fit) {
      const input = process.stdin[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>;
      let start = Buffer.alloc(0);
      // The number of the partition stands before the first tab.
      while (start.indexOf("\t") < 0) {
        const { done, value } = await input.next();
        if (done) return;
        start = Buffer.concat([start, value]);
      }
      const partition = start.toString("latin1", 0, start.indexOf("\t"));
      const executor = process.ppid;
      const daemon = await connectDaemon(addressOf(fit, partition, executor), executor);
      const answer: Buffer[] = [];
      daemon.on("data", (chunk: Buffer) => answer.push(chunk));
      const ended = new Promise((resolve) => daemon.once("close", resolve));
      daemon.on("error", () => daemon.destroy());
      daemon.write(start);
      for await (const chunk of input) {
        if (!daemon.write(chunk)) await new Promise((resolve) => daemon.once("drain", resolve));
      }
      daemon.end();
      await ended;
      const text = Buffer.concat(answer).toString("latin1");
      const [, kind, reason] = /(?:^|\n)(\w+)\t\d+\t\d+\t([^\n]*)\n$/.exec(text) ?? [];
      if (kind === "error") throw new Error(reason);
      if (kind !== "done" && kind !== "missing" && kind !== "closed") throw new Error("a daemon ended in mid-task");
      process.stdout.write(text, "latin1");
    },
  }),
);

const [job, ...words] = process.argv.slice(2);
try {
  await JOBS.get(job)!(...words);
} catch (error) {
  process.stderr.write(`bonmf: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
