import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { BonmfError, DataError } from "bonmf";
import { UserError } from "../errors.js";
import type { ReadOptions } from "../read/data.js";
import { storeScaler } from "./header.js";
import type { Packing } from "./pack.js";

/** What the packer is asked, and what it says; plain data. */
export interface Order extends Omit<Packing, "onNote" | "scale" | "options"> {
  readonly path: string;
  readonly options: Omit<ReadOptions, "signal" | "onProgress">;
  readonly scale: Exclude<Packing["scale"], object> | ReturnType<typeof storeScaler>;
}

export type Word =
  | { readonly progress: Parameters<NonNullable<ReadOptions["onProgress"]>> }
  | { readonly note: string }
  | { readonly failure: Failure }
  | { readonly done: true };

export interface Failure {
  readonly kind: "user" | "data" | "library" | "other";
  readonly message: string;
  readonly hint?: string | undefined;
  readonly code?: string | undefined;
  readonly place?: DataError["place"];
}

/** Packs in a process of its own: what reading leaves in memory is gone with it, and the fit has all there is. */
export async function packApart(path: string, packing: Packing, signal: AbortSignal): Promise<void> {
  const { onNote, scale, options, ...rest } = packing;
  const { signal: _, onProgress, ...reading } = options;
  signal.throwIfAborted();
  const child = fork(fileURLToPath(new URL("./packer.js", import.meta.url)), {
    execArgv: ["--expose-gc"],
    stdio: ["inherit", "ignore", "inherit", "ipc"],
  });
  const stop = () => child.kill();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const order: Order = {
      ...rest,
      path,
      options: reading,
      scale: typeof scale === "object" ? storeScaler(scale) : scale,
    };
    await follow(child, order, (word) => {
      if ("progress" in word) onProgress?.(...word.progress);
      if ("note" in word) onNote(word.note);
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function follow(child: ChildProcess, order: Order, hear: (word: Word) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let end: Word | null = null;
    child.on("message", (word: Word) => {
      if ("done" in word || "failure" in word) end = word;
      else hear(word);
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (end && "done" in end) resolve();
      else if (end && "failure" in end) reject(revive(end.failure));
      else
        reject(
          new UserError(`packing the samples was stopped (${signal ?? `code ${code}`})`, "more --memory may help"),
        );
    });
    child.send(order);
  });
}

function revive({ kind, message, hint, code, place }: Failure): Error {
  if (kind === "user") return new UserError(message, hint);
  if (kind === "data") return new DataError(code!, message, place);
  if (kind === "library") return new BonmfError(code!, message);
  return Object.assign(new Error(message), code !== undefined && { code });
}
