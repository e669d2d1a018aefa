import { createHash, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../errors.js";

/**
 * Temporary files and folders are named after the machine and the process that made them: a later run can tell which were
 * left by a process that was killed. The rest of the name cannot be guessed.
 */
const MACHINE = createHash("sha256").update(hostname()).digest("hex").slice(0, 6);
const NAME = /^\.?bonmf-([0-9a-f]{6})-(\d+)-\w+(\.\w+)?$/;
/** Of another machine, whose processes cannot be seen. */
const OLD_MS = 7 * 24 * 60 * 60 * 1000;

const own = () => `bonmf-${MACHINE}-${process.pid}-`;

/** A hidden name for an unfinished file. */
export function temporaryName(ending: string): string {
  return `.${own()}${randomBytes(8).toString("hex")}${ending}`;
}

/** Makes a folder that only this user can enter. */
export async function makeTemporaryFolder(): Promise<string> {
  await sweepLeftovers(tmpdir());
  return mkdtemp(join(tmpdir(), own())).catch((error: Error) => {
    throw new UserError(`no temporary folder can be made: ${error.message}`, TEMPORARY_REMEDY, { cause: error });
  });
}

export const TEMPORARY_REMEDY = "set TMPDIR to a folder of your own, on a disk with free space";

/** Where that fails, the next run removes it. */
export async function removeTemporary(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => {});
}

export function removeTemporarySync(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The same.
  }
}

const swept = new Set<string>();

/** Removes what killed processes of this user left in a folder; looks once. */
export async function sweepLeftovers(folder: string): Promise<void> {
  if (swept.has(folder)) return;
  swept.add(folder);
  for (const name of await readdir(folder).catch(() => [])) {
    const [, machine, process] = NAME.exec(name) ?? [];
    if (machine !== undefined) await removeIfDead(join(folder, name), machine === MACHINE ? Number(process) : null);
  }
}

async function removeIfDead(path: string, process: number | null): Promise<void> {
  try {
    const { uid, mtimeMs } = await lstat(path);
    const dead = process === null ? Date.now() - mtimeMs > OLD_MS : !isRunning(process);
    if (dead && isOwn(uid)) await rm(path, { recursive: true, force: true });
  } catch {
    // Gone, or not ours to remove.
  }
}

function isOwn(uid: number): boolean {
  return process.getuid === undefined || process.getuid() === uid;
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
