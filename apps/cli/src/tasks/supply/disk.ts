import { availableParallelism } from "node:os";
import { fit } from "bonmf";
import { streamSource } from "bonmf/engine";
import { obtain } from "../../cache/obtain.js";
import type { Call } from "../../command.js";
import { UserError } from "../../errors.js";
import { readOptions } from "../../read/options.js";
import { bytes } from "../../show/numbers.js";
import { explainData } from "../explain.js";
import { nameSource } from "../load.js";
import { fitOptions } from "../options.js";
import type { Supply } from "./supply.js";

/** What a worker thread takes, and what comes and goes in this one. */
const THREAD_BYTES = 2 ** 24;
const SLACK_BYTES = 2 ** 26;
/** DuckDB takes twice what it is told of, and needs this for wide files. */
const LEAST_READING = 2 ** 27;

/** Samples that stay on disk; no more than `memory` bytes are used. */
export async function openDisk(call: Call, memory: number): Promise<Supply> {
  const { scale, threads } = fitOptions(call.options);
  const source = nameSource(call);
  const explain = (error: unknown) => {
    throw explainData(error, source);
  };
  leftOf(memory, threads);
  const reading = { ...readOptions(call), memory: Math.max(LEAST_READING, memory / 4) };
  const packed = await obtain(call, { sources: call.args, options: reading, scale, source }).catch(explain);
  const { stored, weights, scaler, labels, header } = packed;
  const stream = streamSource(stored, { memory: leftOf(memory, threads), weights, scaler });
  return {
    source,
    samples: header.samples,
    features: scaler.features,
    classes: labels,
    fit: ({ scale: _, ...options }) =>
      fit(stream, {
        ...options,
        featureNames: header.names ?? undefined,
        tags: { recipe: JSON.stringify(header.recipe), source: header.source },
      }).catch(explain),
    measure: null,
    close: () => packed.release(),
  };
}

function leftOf(memory: number, threads = availableParallelism()): number {
  const own = process.memoryUsage.rss() + (threads - 1) * THREAD_BYTES + SLACK_BYTES;
  if (own < memory) return memory - own;
  throw new UserError(
    `--memory ${bytes(memory)} is too little: the program itself needs ${bytes(own)}`,
    "give it some hundred MB",
  );
}
