import { unlinkSync } from "node:fs";
import { type FileHandle, open, realpath, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { UserError } from "../errors.js";
import { sweepLeftovers, temporaryName } from "./leftovers.js";

/** An unfinished file: renamed to its path when complete, removed otherwise. */
export interface Draft {
  /** The temporary file; another program may write to it instead of `write`. */
  readonly temporary: string;
  write(chunk: Uint8Array | string): Promise<void>;
  /** Syncs to disk, then renames. */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

export interface DraftOptions {
  /** Permissions, whatever the umask. Default: those of an older file of that name, else what the umask leaves. */
  readonly mode?: number;
  /** What to do where the folder cannot be written; by default, to choose another. */
  readonly remedy?: string;
}

/** Writes a file atomically: an older file of that name stays until the new one is complete. */
export async function writeWhole(
  path: string,
  content: Uint8Array | string,
  options: DraftOptions = {},
): Promise<void> {
  const draft = await openDraft(path, options);
  try {
    await draft.write(content);
    await draft.commit();
  } catch (error) {
    await draft.discard();
    throw error;
  }
}

/** Standard output as a file name. */
export const STDOUT = "-";

/** "-" is standard output. @throws UserError at once if the file cannot be written */
export async function openDraft(path: string, { mode, remedy }: DraftOptions = {}): Promise<Draft> {
  if (path === STDOUT) return { temporary: path, write: print, commit: async () => {}, discard: async () => {} };
  try {
    const target = await realpath(path).catch(orAbsent(path));
    const old = await stat(target).catch(orAbsent(null));
    if (old?.isDirectory() || /[/\\]$/.test(path)) throw Object.assign(new Error("is a folder"), { code: "EISDIR" });
    // Devices and pipes are written directly: a rename would replace them by a file.
    if (old && !old.isFile()) return new Writing(path, target, target, await open(target, "w"), remedy);
    await sweepLeftovers(dirname(target));
    const temporary = join(dirname(target), temporaryName(".part"));
    const handle = await open(temporary, "wx", mode ?? old?.mode);
    guard(temporary);
    const draft = new Writing(path, target, temporary, handle, remedy);
    if (mode !== undefined) await draft.permit(mode);
    return draft;
  } catch (error) {
    throw explain(error, path, remedy);
  }
}

/** Other errors are no reason to replace a link, or to forget the permissions of an older file. */
function orAbsent<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT") return value;
    throw error;
  };
}

function print(chunk: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

class Writing implements Draft {
  readonly temporary: string;
  readonly #path: string;
  readonly #target: string;
  readonly #handle: FileHandle;
  readonly #remedy: string | undefined;
  #done = false;

  constructor(path: string, target: string, temporary: string, handle: FileHandle, remedy: string | undefined) {
    this.#path = path;
    this.#target = target;
    this.temporary = temporary;
    this.#handle = handle;
    this.#remedy = remedy;
  }

  async permit(mode: number): Promise<void> {
    try {
      await this.#handle.chmod(mode);
    } catch (error) {
      await this.discard();
      throw error;
    }
  }

  async write(chunk: Uint8Array | string): Promise<void> {
    try {
      await this.#handle.writeFile(chunk);
    } catch (error) {
      throw explain(error, this.#path, this.#remedy);
    }
  }

  async commit(): Promise<void> {
    try {
      if (this.temporary === this.#target) {
        await this.#close();
        return;
      }
      await this.#handle.sync();
      await this.#close();
      await rename(this.temporary, this.#target);
      unguard(this.temporary);
      await syncFolder(dirname(this.#target));
    } catch (error) {
      await this.discard();
      throw explain(error, this.#path, this.#remedy);
    }
  }

  async discard(): Promise<void> {
    await this.#close().catch(() => {});
    remove(this.temporary);
  }

  async #close(): Promise<void> {
    if (this.#done) return;
    this.#done = true;
    await this.#handle.close();
  }
}

/** Makes the rename durable; not every system can sync folders. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

const unfinished = new Set<string>();
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function guard(temporary: string): void {
  if (unfinished.size === 0) {
    process.on("exit", sweep);
    for (const signal of signals) process.on(signal, leave);
  }
  unfinished.add(temporary);
}

function unguard(temporary: string): void {
  if (!unfinished.delete(temporary) || unfinished.size > 0) return;
  process.off("exit", sweep);
  for (const signal of signals) process.off(signal, leave);
}

/** Removes only files that `guard` registered, never a device. */
function remove(temporary: string): void {
  if (!unfinished.has(temporary)) return;
  try {
    unlinkSync(temporary);
  } catch (error) {
    // Tried again when the process ends.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") return;
  }
  unguard(temporary);
}

function sweep(): void {
  for (const temporary of [...unfinished]) remove(temporary);
}

/** Without another listener the signal ends the process, as it would without this handler. */
function leave(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  sweep();
  process.kill(process.pid, signal);
}

/**
 * Explains an error of writing `path`; other errors are returned unchanged.
 *
 * @param remedy see DraftOptions
 */
export function explain(error: unknown, path: string, remedy?: string): unknown {
  if (!(error instanceof Error) || error instanceof UserError) return error;
  const folder = dirname(path);
  const say = (message: string, hint?: string) => new UserError(`${path}: ${message}`, hint, { cause: error });
  switch (codeOf(error)) {
    case "ENOENT":
      return say(`the folder ${folder} does not exist`, `make it first: mkdir -p ${quoteShell(folder)}`);
    case "ENOTDIR":
      return say(`${folder} is a file, not a folder`, remedy ?? "choose another path");
    case "EISDIR":
      return say("is a folder, not a file", `name a file in it, for example ${join(path, "out.csv")}`);
    case "EACCES":
    case "EPERM":
      return say(`no permission to write in ${folder}`, remedy ?? "choose a folder of your own");
    case "EROFS":
      return say(`${folder} is on a read-only file system`, remedy ?? "choose another folder");
    case "ENOSPC":
    case "EDQUOT":
      return say("the disk is full; nothing was written", remedy ?? "free some space or choose another disk");
    case "EIO":
      return say("the disk reports an error; nothing was written", remedy ?? "choose another disk");
    case "ENAMETOOLONG":
      return say(`the name ${basename(path)} is too long for this file system`);
    case "ERR_INVALID_ARG_VALUE":
      return say("is not a valid file name: it contains a zero character");
    default:
      return error;
  }
}

/** Errors of DuckDB have no code, only the system's message. */
function codeOf(error: Error): unknown {
  if ("code" in error && error.code !== undefined) return error.code;
  if (/No space left on device|not enough space/i.test(error.message)) return "ENOSPC";
  return undefined;
}

function quoteShell(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
