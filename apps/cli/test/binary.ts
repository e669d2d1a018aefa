import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, expect } from "vitest";

/** The command as `npm test` builds it. */
export const binary = fileURLToPath(new URL("../dist/main.js", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Surroundings {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly input?: string;
}

/** Nothing of the tester's own terminal may show. */
const { NO_COLOR: _, FORCE_COLOR: __, BONMF_DEBUG: ___, ...env } = process.env;

/** Runs the built command to its end. */
export function bonmf(args: readonly string[], { cwd, env: more, input }: Surroundings = {}): Ended {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [binary, ...args], {
    cwd,
    env: { ...env, ...more },
    input: input ?? "",
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  if (error) throw error;
  return { code: status, stdout, stderr };
}

/** One at a time: the working folder, the environment and standard input are the process's. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the built command in this process, which has loaded it already: a tenth of a second for what takes half a second in
 * a process of its own. For tests that are not about the process, its signals or its memory.
 */
export function runBonmf(args: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  const ended = last.then(() => runHere(args, surroundings));
  last = ended.catch(() => {});
  return ended;
}

async function runHere(args: readonly string[], { cwd, env: more, input }: Surroundings): Promise<Ended> {
  const { prepareRun } = (await import(
    pathToFileURL(join(binary, "../run.js")).href
  )) as typeof import("../src/run.js");
  const before = { cwd: process.cwd(), env: process.env, argv: process.argv, stdin: process.stdin };
  const text = { stdout: "", stderr: "" };
  process.env = { ...env, ...more };
  process.argv = [process.execPath, binary, ...args];
  setStdin(Readable.from([Buffer.from(input ?? "")]));
  try {
    if (cwd !== undefined) process.chdir(cwd);
    const streams = {
      stdout: { write: (part: string) => (text.stdout += part) },
      stderr: { write: (part: string) => (text.stderr += part) },
      env: process.env,
    };
    const code = await prepareRun(args, streams, { signal: new AbortController().signal, code: 0 }).start();
    return { code, ...text };
  } finally {
    process.env = before.env;
    process.argv = before.argv;
    setStdin(before.stdin);
    process.chdir(before.cwd);
  }
}

function setStdin(value: Readable): void {
  Object.defineProperty(process, "stdin", { value, configurable: true });
}

/** What the command says on its way out with 1: a message, and a hint at most. */
export function complain(args: readonly string[], cwd: string): string {
  const { code, stderr } = bonmf(args, { cwd });
  expect(code).toBe(1);
  const lines = stderr.trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(2);
  return lines.join("\n");
}

/** A folder that is gone when the tests of the file are over. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bonmf-cli-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Linux's `script` gives a program a terminal; other systems' take other arguments. */
export const hasPty = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

/**
 * Runs a shell command line in a pseudo-terminal of 80 columns.
 *
 * @param hear told everything the terminal has shown so far, and how to type; "\x03" is Ctrl-C
 */
export function runInTerminal(
  line: string,
  { cwd, env: more }: Surroundings = {},
  hear: (shown: string, type: (keys: string) => void) => void = () => {},
): Promise<{ code: number | null; shown: string }> {
  const child = spawn("script", ["-qec", line, "/dev/null"], {
    cwd,
    env: { ...env, TERM: "xterm-256color", ...more },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    hear(shown, (keys) => child.stdin.write(keys));
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, shown }));
  });
}

/** Numbers around `k` centres, the same each time; the last column is the class. */
export function writeBlobs(path: string, samples: number, features: number, k: number): void {
  let state = 1;
  const draw = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const centres = Array.from({ length: k }, () => Array.from({ length: features }, () => draw() * 9));
  const names = Array.from({ length: features }, (_, f) => `x${f}`);
  const lines = Array.from({ length: samples }, (_, i) => {
    const row = centres[i % k].map((value) => (value + draw()).toFixed(3));
    return `${row.join(",")},c${i % k}`;
  });
  writeFileSync(path, `${[...names, "class"].join(",")}\n${lines.join("\n")}\n`);
}
