/** A worker thread: runs jobs one after another and keeps the datasets it has read. */
import { parentPort } from "node:worker_threads";
import { type Cell, type Job, runLearner } from "./cell.js";
import { LEARNERS } from "./columns.js";
import { findPaperDataset } from "./datasets.js";
import { readSamples, type Samples, type Split, splitSamples } from "./samples.js";

const read = new Map<string, Samples>();
let last: { readonly key: string; readonly split: Split } | null = null;

parentPort!.on("message", async (job: Job) => {
  const cells: Cell[] = await run(job);
  parentPort!.postMessage(cells);
});

async function run(job: Job): Promise<Cell[]> {
  const dataset = findPaperDataset(job.dataset);
  const samples = read.get(dataset.name) ?? readSamples(dataset, job.file);
  read.set(dataset.name, samples);
  const key = `${dataset.name} ${job.seed}`;
  if (last?.key !== key) last = { key, split: splitSamples(samples, job.seed) };
  const learner = LEARNERS.find(({ name }) => name === job.learner)!;
  return runLearner(learner, dataset, last.split, job);
}
