import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { UserError } from "../errors.js";
import type { ReadOptions } from "../read/data.js";
import { reviveError, type SentError } from "../read/thread-error.js";
import type { PackOptions } from "./pack.js";
import { storeScaler } from "./pack-header.js";

/** The request to the packing process, and its messages; plain data. */
export interface PackRequest extends Omit<PackOptions, "onNote" | "scale" | "options"> {
  readonly path: string;
  readonly options: Omit<ReadOptions, "signal" | "onProgress">;
  readonly scale: Exclude<PackOptions["scale"], object> | ReturnType<typeof storeScaler>;
}

export type PackMessage =
  | { readonly progress: Parameters<NonNullable<ReadOptions["onProgress"]>> }
  | { readonly note: string }
  | { readonly failure: SentError }
  | { readonly done: true };

/** Packs in a child process: when it ends, all memory that reading took is free for the fit. */
export async function packInProcess(path: string, packing: PackOptions, signal: AbortSignal): Promise<void> {
  const { onNote, scale, options, ...rest } = packing;
  const { signal: _, onProgress, ...reading } = options;
  signal.throwIfAborted();
  const child = fork(fileURLToPath(new URL("./pack-worker.js", import.meta.url)), {
    execArgv: ["--expose-gc"],
    stdio: ["inherit", "ignore", "inherit", "ipc"],
  });
  const stop = () => child.kill();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const request: PackRequest = {
      ...rest,
      path,
      options: reading,
      scale: typeof scale === "object" ? storeScaler(scale) : scale,
    };
    await follow(child, request, (message) => {
      if ("progress" in message) onProgress?.(...message.progress);
      if ("note" in message) onNote(message.note);
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function follow(child: ChildProcess, request: PackRequest, hear: (message: PackMessage) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let end: PackMessage | null = null;
    child.on("message", (message: PackMessage) => {
      if ("done" in message || "failure" in message) end = message;
      else hear(message);
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (end && "done" in end) resolve();
      else if (end && "failure" in end) reject(reviveError(end.failure));
      else
        reject(
          new UserError(
            `the process that packs the samples ended early (${signal ?? `code ${code}`})`,
            "try a larger --memory",
          ),
        );
    });
    child.send(request);
  });
}
