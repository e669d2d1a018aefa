import type { Block, CsvFile, Done, Job } from "./job.js";
import { CsvParser } from "./parser.js";

/** Cuts files into blocks of so many bytes. */
export function cutBlocks(files: readonly CsvFile[], bytes: number): Block[] {
  const blocks: Block[] = [];
  for (const [file, { size }] of files.entries()) {
    for (let start = 0; start < size; start += bytes) blocks.push({ file, start, end: Math.min(size, start + bytes) });
  }
  return blocks;
}

/** Takes blocks until none is left. Yields each that is done, and null often on the way. Throws at anything unusual. */
export function* parseBlocks(job: Job): Generator<Done | null, undefined> {
  const { tasks, next, counts } = job;
  const parser = new CsvParser(job);
  let known = 0;
  let sample = 0;
  try {
    for (;;) {
      const task = Atomics.add(next, 0, 1);
      if (task >= tasks.length) return;
      const rows = parser.open(tasks[task]);
      Atomics.store(counts, task, rows);
      Atomics.notify(counts, task);
      // The first row of this block is known once those of all blocks before it are counted.
      for (; known < task; known++) {
        for (; Atomics.load(counts, known) < 0; Atomics.wait(counts, known, -1, 5)) yield null;
        sample += counts[known];
      }
      yield { task, ...(yield* parser.fill(sample, rows)) };
    }
  } finally {
    parser.close();
  }
}
