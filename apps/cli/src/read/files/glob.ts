import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../errors.js";

/** Whether a path holds characters that stand for others: * ? [ { */
export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path);
}

/** The files a pattern names, sorted: * and ? within a name, [a-z], {a,b}, and ** for any number of folders. */
export async function expandGlob(pattern: string): Promise<string[]> {
  const found = new Set<string>();
  for (const plain of spreadBraces(pattern)) {
    const steps = plain.split("/").filter((step, i) => step !== "" || i === 0);
    const start = steps[0] === "" ? "/" : ".";
    await walk(start, steps[0] === "" ? steps.slice(1) : steps, found);
  }
  return [...found].sort(compare);
}

/** By code unit, so that the order of samples does not hang on the language of the machine. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

async function walk(folder: string, steps: readonly string[], found: Set<string>): Promise<void> {
  const [step, ...rest] = steps;
  if (step === undefined) return;
  if (step === "." || step === ".." || (!isGlob(step) && rest.length > 0)) {
    await walk(join(folder, step), rest, found);
    return;
  }
  const deep = step === "**";
  if (deep) await walk(folder, rest, found);
  const fits = deep ? undefined : toPattern(step);
  for (const entry of await list(folder)) {
    if (entry.name.startsWith(".") && !step.startsWith(".")) continue;
    if (fits && !fits.test(entry.name)) continue;
    const path = join(folder, entry.name);
    // A link may lead anywhere, also upward: ** does not follow it.
    if (deep && entry.isDirectory()) await walk(path, steps, found);
    else if (!deep && rest.length > 0 && (entry.isDirectory() || entry.isSymbolicLink())) await walk(path, rest, found);
    else if (rest.length === 0 && !entry.isDirectory()) found.add(path);
  }
}

async function list(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function toPattern(step: string): RegExp {
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
    return new RegExp(`^${source}$`, "s");
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
