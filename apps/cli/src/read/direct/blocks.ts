import { Scribe } from "./scribe.js";
import type { Block, Script, Writing, Written } from "./script.js";

export function cutBlocks(files: readonly Script[], block: number): Block[] {
  const blocks: Block[] = [];
  for (const [file, { size }] of files.entries()) {
    for (let start = 0; start < size; start += block) blocks.push({ file, start, end: Math.min(size, start + block) });
  }
  return blocks;
}

/** Does blocks until none is left. Yields each that is done, and null often on the way. Throws at anything unusual. */
export function* doBlocks(order: Writing): Generator<Written | null, undefined> {
  const { tasks, next, counts } = order;
  const scribe = new Scribe(order);
  let known = 0;
  let sample = 0;
  try {
    for (;;) {
      const task = Atomics.add(next, 0, 1);
      if (task >= tasks.length) return;
      const rows = scribe.open(tasks[task]);
      Atomics.store(counts, task, rows);
      Atomics.notify(counts, task);
      // Those who have the blocks before are about to say how many rows there are.
      for (; known < task; known++) {
        for (; Atomics.load(counts, known) < 0; Atomics.wait(counts, known, -1, 5)) yield null;
        sample += counts[known];
      }
      yield { task, ...(yield* scribe.fill(sample, rows)) };
    }
  } finally {
    scribe.close();
  }
}
