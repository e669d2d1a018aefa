/** A thread that runs jobs one after another and keeps the datasets it has read. */
import { parentPort } from "node:worker_threads";
import { type Cell, type Job, play } from "./cell.js";
import { CONTESTS } from "./columns.js";
import { cut, type Lesson, readSamples, type Samples } from "./samples.js";
import { findSubject } from "./subjects.js";

const read = new Map<string, Samples>();
let last: { readonly key: string; readonly lesson: Lesson } | null = null;

parentPort!.on("message", async (job: Job) => {
  const cells: Cell[] = await run(job);
  parentPort!.postMessage(cells);
});

async function run(job: Job): Promise<Cell[]> {
  const subject = findSubject(job.dataset);
  const samples = read.get(subject.name) ?? readSamples(subject);
  read.set(subject.name, samples);
  const key = `${subject.name} ${job.seed}`;
  if (last?.key !== key) last = { key, lesson: cut(samples, job.seed) };
  const contest = CONTESTS.find(({ name }) => name === job.contest)!;
  return play(contest, subject, last.lesson, job);
}
