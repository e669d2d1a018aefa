import { availableParallelism } from "node:os";
import type { Model } from "bonmf";
import { type Obtained, obtain } from "../cache/obtain.js";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import { readOptions } from "../read/options.js";
import { bytes } from "../show/numbers.js";
import { explainData } from "./explain.js";
import { nameSource } from "./load.js";
import { likeModel } from "./model.js";
import { fitOptions } from "./options.js";

/** What a worker thread takes, and what comes and goes in this one. */
const THREAD_BYTES = 2 ** 24;
const SLACK_BYTES = 2 ** 26;
/** For each sample that has a class or a name, to compare and write. */
const NAME_BYTES = 48;
/** The share of the memory that DuckDB is told of: it takes as much again. */
const READING = 4;
/** With less it cannot read a wide Parquet file. */
const LEAST_READING = 2 ** 27;

/** The command's samples, packed on disk. */
export async function packSamples(call: Call, from: Model | null, memory: number): Promise<Obtained> {
  const options = {
    ...readOptions(call),
    ...(from ? likeModel(from) : {}),
    memory: Math.max(LEAST_READING, memory / READING),
  };
  const source = nameSource(call);
  const scale = from?.scaler ?? fitOptions(call.options).scale;
  try {
    return await obtain(call, { sources: call.args, options, scale, source });
  } catch (error) {
    throw explainData(error, source);
  }
}

/**
 * What samples may take of the memory: the program itself and its threads need some.
 *
 * @param named samples that have a class or a name
 */
export function leftOf(memory: number, threads: number | undefined, named: number): number {
  const others = (threads ?? availableParallelism()) - 1;
  const own = process.memoryUsage.rss() + others * THREAD_BYTES + SLACK_BYTES + named * NAME_BYTES;
  if (own < memory) return memory - own;
  throw new UserError(
    `--memory ${bytes(memory)} is too little: the program itself needs ${bytes(own)}`,
    "give it some hundred MB",
  );
}
