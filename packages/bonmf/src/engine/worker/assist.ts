import type { Region } from "../../kernel/region.js";
import { CsrConverter, type CsrPlan } from "../../kernel/simd/dense-to-csr.js";
import { SpanSweeper, type SweepPlan } from "../../kernel/simd/span-sweeper.js";
import { JobBoard } from "./job-board.js";

/** Milliseconds that a thread sleeps when there is nothing to convert yet. */
const NAP_MS = 1;

/** Converts what the caller's thread puts into the memory. */
export function convert(region: Region, plan: CsrPlan): void {
  const converter = new CsrConverter(region, plan);
  while (!converter.ended) if (!converter.convertNext()) converter.awaitPut(NAP_MS);
}

/** The jobs of a pass: all samples are swept, then what the threads gathered is added up, cluster by cluster. */
export const JOB = { sweep: 1, gather: 2 } as const;
/** How many milliseconds a thread listens for the next job before it turns to its messages. */
const PATIENCE_MS = 50;

/** What a worker is told when it is to listen for jobs: plain data. */
export interface AssistOrder {
  /** The address of the board, and how many threads use it. */
  readonly board: number;
  readonly threads: number;
  /** Which of them this is. */
  readonly thread: number;
  readonly ticket: number;
  readonly plan: SweepPlan;
}

/** Takes part in sweeps of the region's memory until no more come for a while. */
export function assist(region: Region, { board: at, threads, thread, ticket, plan }: AssistOrder): void {
  const sweeper = new SpanSweeper(region, plan);
  const board = new JobBoard(region, at, threads);
  board.listen(ticket, PATIENCE_MS, (kind) => {
    if (kind === JOB.sweep) sweeper.begin();
    for (let unit = board.claim(thread); unit >= 0; unit = board.claim(thread)) doUnit(sweeper, kind, unit);
    if (kind === JOB.sweep) sweeper.end();
  });
}

/** One unit of a job. */
export function doUnit(sweeper: SpanSweeper, kind: number, unit: number): void {
  if (kind === JOB.sweep) sweeper.sweepUnit(unit);
  else sweeper.gather(unit);
}
