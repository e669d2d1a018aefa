import { stat } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { Dense, type Matrix, Sparse } from "bonmf";
import { type TextPart, Texts } from "bonmf/io";
import { UserError } from "../errors.js";
import type { Data, ReadOptions } from "./data.js";
import { readHead } from "./files/bytes.js";
import type { FoundFile } from "./files/sources.js";
import type { PlainKind, Task, TaskName } from "./tasks.js";
import { reviveError, type SentError } from "./thread-error.js";

type Progress = Parameters<NonNullable<ReadOptions["onProgress"]>>;
type Request<N extends TaskName> = Parameters<Task<N>>[0];
type Result<N extends TaskName> = Awaited<ReturnType<Task<N>>>;

interface Work<N extends TaskName> {
  readonly name: N;
  readonly request: Request<N>;
  readonly options: ReadOptions;
}

export interface ThreadRequest<N extends TaskName> extends Work<N> {
  readonly options: Omit<ReadOptions, "signal" | "onProgress" | "spool">;
}

export type ThreadMessage =
  | { readonly progress: Progress }
  | { readonly error: SentError }
  | { readonly result: object; readonly X?: SentMatrix; readonly texts?: readonly TextPart[] };

/** The arrays of a matrix; `offsets` and `indices` of a sparse one only. */
interface SentMatrix {
  readonly samples: number;
  readonly features: number;
  readonly values: Dense["data"];
  readonly offsets?: Sparse["offsets"];
  readonly indices?: Sparse["indices"];
}

/** Bytes that are read in a fraction of a second. */
const FEW = 4 * 2 ** 20;
/** Bytes of an array that are moved; fewer may share the memory of a pool (64 KiB in Node 24), which cannot be. */
const LEAST_MOVED = 2 ** 20;

/**
 * Runs code that does not pause: a little of it here, much in a thread, which a signal ends at once wherever it is.
 *
 * @param source what errors call the files
 */
export async function runTask<N extends TaskName>(
  name: N,
  request: Request<N>,
  options: ReadOptions,
  { source, short }: { readonly source: string; readonly short: boolean },
): Promise<Result<N>> {
  const worker = short ? null : startThread();
  if (worker) return runInThread(worker, { name, request, options }, source);
  const { TASKS } = await import("./tasks.js");
  const task = TASKS[name] as (request: Request<N>, options: ReadOptions) => Promise<Result<N>>;
  return task(request, options);
}

export async function readPlainFiles(
  kind: PlainKind,
  files: readonly FoundFile[],
  options: ReadOptions,
): Promise<Data> {
  const short = await areFew(kind, files);
  return runTask("plain", { kind, files: files.map(withoutPlace) }, options, { source: files[0].name, short });
}

/** A file as threads can be told of it. */
export function withoutPlace({ place: _, ...file }: FoundFile): FoundFile {
  return file;
}

/** Packed files may hold any number of bytes. */
async function areFew(kind: PlainKind, files: readonly FoundFile[]): Promise<boolean> {
  let bytes = 0;
  for (const file of files) {
    bytes += (await stat(file.path)).size;
    if (bytes >= FEW || kind === "npz") return false;
    if (file.inside === undefined && (await readHead(file)).gzip) return false;
  }
  return true;
}

/** Null where the system has no room for another thread: the work is then done here. */
function startThread(): Worker | null {
  try {
    return new Worker(locate(), { execArgv: [] });
  } catch {
    return null;
  }
}

function runInThread<N extends TaskName>(
  worker: Worker,
  { name, request, options }: Work<N>,
  source: string,
): Promise<Result<N>> {
  const { signal, onProgress, spool: _, ...rest } = options;
  return new Promise<Result<N>>((resolve, reject) => {
    const stop = () => reject(signal?.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    worker.on("message", (message: ThreadMessage) => {
      if ("progress" in message) onProgress?.(...message.progress);
      else if ("error" in message) reject(reviveError(message.error));
      else resolve(receiveResult(message) as Result<N>);
    });
    worker.on("error", (error) => reject(explain(error, source)));
    worker.on("exit", () => reject(new Error("the thread that reads ended early")));
    worker.postMessage({ name, request, options: rest } satisfies ThreadRequest<N>);
  }).finally(() => worker.terminate());
}

function explain(error: Error, source: string): Error {
  if (!("code" in error) || error.code !== "ERR_WORKER_OUT_OF_MEMORY") return error;
  return new UserError(`${source}: there is not enough memory to read it`, "read fewer rows, or convert it to Parquet");
}

/** The message, and the memory that goes with it instead of being copied. */
export function sendResult(result: object): [ThreadMessage, ArrayBuffer[]] {
  if (!("X" in result)) return [{ result }, []];
  const { X, texts, ...data } = result as Data;
  const { samples, features } = X;
  const arrays: SentMatrix =
    X.kind === "dense"
      ? { samples, features, values: X.data }
      : { samples, features, values: X.values, offsets: X.offsets, indices: X.indices };
  const parts = texts instanceof Texts ? texts.parts : undefined;
  const held = [arrays.values, arrays.offsets, arrays.indices, ...(parts ?? []).map(({ bytes }) => bytes)];
  const moved = new Set<ArrayBuffer>();
  for (const array of held) {
    if (array?.buffer instanceof ArrayBuffer && array.buffer.byteLength >= LEAST_MOVED) moved.add(array.buffer);
  }
  return [{ result: data, X: arrays, ...(parts && { texts: parts }) }, [...moved]];
}

function receiveResult({ result, X, texts }: Extract<ThreadMessage, { result: object }>): object {
  if (X === undefined) return result;
  const { samples, features, values, offsets, indices } = X;
  const matrix: Matrix =
    offsets && indices ? new Sparse(samples, features, offsets, indices, values) : new Dense(samples, features, values);
  return { ...result, X: matrix, ...(texts && { texts: new Texts(texts) }) };
}

/** Beside this file, or, when the tests run the TypeScript sources, what was built from them. */
function locate(): URL {
  const folder = import.meta.url.endsWith(".ts") ? "../../dist/read/" : "./";
  return new URL(`${folder}thread-worker.js`, import.meta.url);
}
