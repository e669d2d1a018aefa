import { readdir } from "node:fs/promises";
import { posix, win32 } from "node:path";
import { UserError } from "../../errors.js";

/** Where patterns are looked up; another one in tests. */
export interface Disk {
  readonly platform: string;
  /** What a folder holds. */
  list(folder: string): Promise<readonly Entry[]>;
}

interface Entry {
  readonly name: string;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

const here: Disk = {
  platform: process.platform,
  list: (folder) => readdir(folder, { withFileTypes: true }).catch(() => []),
};

/** Whether a path holds characters that stand for others: * ? [ { */
export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path);
}

/**
 * The files a pattern names, sorted: * and ? within a name, [a-z], {a,b}, and ** for any number of folders. On Windows, whose
 * shells leave patterns to programs, \ separates as / does, drives and shares are kept, and capitals do not matter.
 */
export async function expandGlob(pattern: string, disk: Disk = here): Promise<string[]> {
  const found = new Set<string>();
  for (const plain of spreadBraces(pattern)) {
    const { root } = pathsOf(disk).parse(plain);
    const steps = plain.slice(root.length).split(disk.platform === "win32" ? /[/\\]/ : "/");
    const named = steps.filter((step) => step !== "");
    await walk(disk, root || ".", named, found);
  }
  return [...found].sort(compare);
}

function pathsOf({ platform }: Disk): typeof posix {
  return platform === "win32" ? win32 : posix;
}

/** By code unit, so that the order of samples does not hang on the language of the machine. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

async function walk(disk: Disk, folder: string, steps: readonly string[], found: Set<string>): Promise<void> {
  const { join } = pathsOf(disk);
  const [step, ...rest] = steps;
  if (step === undefined) return;
  if (step === "." || step === ".." || (!isGlob(step) && rest.length > 0)) {
    await walk(disk, join(folder, step), rest, found);
    return;
  }
  const deep = step === "**";
  if (deep) await walk(disk, folder, rest, found);
  const fits = deep ? undefined : toPattern(step, disk.platform === "win32");
  for (const entry of await disk.list(folder)) {
    if (entry.name.startsWith(".") && !step.startsWith(".")) continue;
    if (fits && !fits.test(entry.name)) continue;
    const path = join(folder, entry.name);
    // A link may lead anywhere, also upward: ** does not follow it.
    if (deep && entry.isDirectory()) await walk(disk, path, steps, found);
    else if (!deep && rest.length > 0 && (entry.isDirectory() || entry.isSymbolicLink()))
      await walk(disk, path, rest, found);
    else if (rest.length === 0 && !entry.isDirectory()) found.add(path);
  }
}

function toPattern(step: string, anyCase: boolean): RegExp {
  const source = step.replace(
    /\[(!?)([^\]]+)\]|[\s\S]/g,
    (part: string, not: string | undefined, set: string | undefined) => {
      if (part === "*") return ".*";
      if (part === "?") return ".";
      if (set !== undefined) return `[${not ? "^" : ""}${set.replace(/[\\^[]/g, "\\$&")}]`;
      return part.replace(/[\\^$.|+()[\]{}]/, "\\$&");
    },
  );
  try {
    return new RegExp(`^${source}$`, anyCase ? "si" : "s");
  } catch (error) {
    throw new UserError(`${JSON.stringify(step)} is not a pattern for file names`, undefined, { cause: error });
  }
}

function spreadBraces(pattern: string): string[] {
  const braces = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (!braces) return [pattern];
  const before = pattern.slice(0, braces.index);
  const after = pattern.slice(braces.index + braces[0].length);
  return braces[1].split(",").flatMap((choice) => spreadBraces(before + choice + after));
}
