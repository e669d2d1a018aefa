import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { UserError } from "../errors.js";
import { bytes as show } from "../show/text.js";
import { STDOUT } from "./file.js";

/** Bytes between two looks at the disk. */
const OFTEN = 64 * 2 ** 20;
/** Fewer bytes say too little of those to come. */
const FEW = 16 * 2 ** 20;

/** Bytes that a user may still write to the disk of a file; Infinity where the system does not say. */
export async function freeSpace(path: string): Promise<number> {
  const disk = await statfs(dirname(path)).catch(() => null);
  return disk === null || disk.blocks === 0 ? Number.POSITIVE_INFINITY : disk.bavail * disk.bsize;
}

/** Refuses to begin what the disk has no room for. @param needed bytes, at least */
export async function requireSpace(path: string, needed: number, find = freeSpace): Promise<void> {
  if (path === STDOUT) return;
  const free = await find(path);
  if (needed <= free) return;
  throw new UserError(
    `${path} needs ${show(needed)}, but its disk has ${show(free)} left; nothing was written`,
    "free some space or choose another disk",
  );
}

/** Follows a file that grows with what is read, and refuses to go on where the disk has no room for the rest. */
export class SpaceWatch {
  readonly #path: string;
  readonly #find: typeof freeSpace;
  #next = FEW;
  #share = 0;

  constructor(path: string, find = freeSpace) {
    this.#path = path;
    this.#find = find;
  }

  /** Takes note of how much of the input was read. */
  read(done: number, total: number | null): void {
    this.#share = total === null ? 0 : Math.min(1, done / total);
  }

  /**
   * @param written bytes so far
   * @param copies files of that size that follow
   */
  async check(written: number, copies: number): Promise<void> {
    if (written < this.#next || this.#share === 0) return;
    this.#next = written + OFTEN;
    const whole = written / this.#share;
    await requireSpace(this.#path, whole - written + copies * whole, this.#find);
  }
}
