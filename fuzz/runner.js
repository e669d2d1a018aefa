// Runs one target on one input at a time and says what is wrong: an error that is not a refusal, too much work, memory or
// time. Work is the number of branches taken, memory the bytes of arrays that are allocated: both are the same on every
// machine. Code without counters (regular expressions, native code) is bounded by processor time.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Counted branches and bytes that any input may take, and each of its bytes on top. Targets may set their own. */
const WORK = { base: 200_000, perByte: 1000 };
const MEMORY = { base: 4 * 2 ** 20, perByte: 256 };
const SLOW_S = 5;
/** Spent on making an input with a fault shorter. */
const SHRINK_S = 10;
/** Buckets of counts, as in AFL: 1, 2, 3, 4 … 7, 8 … 15, 16 … 31, 32 … 127, more. */
const BUCKETS = 8;

class OverBudget extends Error {
  name = "OverBudget";
}

let hits = new Uint32Array();
let touched = new Uint32Array();
let count = 0;
let work = 0;
let memory = 0;
/** The first budget that was broken: readers may catch the error. */
let broken;

globalThis.$tick = (id) => {
  if (hits[id]++ === 0) touched[count++] = id;
  if (--work < 0) refuse("work");
};

globalThis.$size = (Type, length) => {
  if (typeof length !== "number") return length;
  memory -= widthOf(Type, length) * length;
  if (memory < 0) refuse("memory");
  return length;
};

function widthOf(Type, length) {
  if (Type.BYTES_PER_ELEMENT) return Type.BYTES_PER_ELEMENT;
  // Longer ones take no room for what is not in them.
  if (Type === Array) return length <= 2 ** 25 ? 8 : 0;
  return /Buffer$/.test(Type.name) ? 1 : 0;
}

function refuse(what) {
  broken ??= new OverBudget(`the input takes too much ${what}`);
  throw broken;
}

/** Until the first input is read, a mistake of ours. */
let fail = (error) => {
  console.error(error);
  process.exit(1);
};

/** Rejects with what is thrown in a callback, where nobody can catch it. */
function uncaught() {
  return new Promise((_, reject) => {
    fail = reject;
  });
}

/**
 * @param folder where the bundle is
 * @param branches how many it has
 */
export async function openRunner(folder, branches, name) {
  if (process.listenerCount("uncaughtException") === 0) process.on("uncaughtException", (error) => fail(error));
  hits = new Uint32Array(branches);
  touched = new Uint32Array(branches);
  reset({ base: Number.MAX_SAFE_INTEGER, perByte: 0 }, { base: Number.MAX_SAFE_INTEGER, perByte: 0 }, 0);
  const load = (path) => import(pathToFileURL(join(folder, path)).href);
  const { isRefusal } = await load("oracle.mjs");
  const target = await load(`targets/${name}.mjs`);
  return new Runner(target, isRefusal, folder);
}

function reset(workBudget, memoryBudget, length) {
  for (let i = 0; i < count; i++) hits[touched[i]] = 0;
  count = 0;
  work = workBudget.base + workBudget.perByte * length;
  memory = memoryBudget.base + memoryBudget.perByte * length;
  broken = undefined;
}

class Runner {
  target;
  #isRefusal;
  #folder;

  constructor(target, isRefusal, folder) {
    this.target = target;
    this.#isRefusal = isRefusal;
    this.#folder = folder;
  }

  /** @returns the fault, if there is one */
  async run(bytes) {
    const { slowSeconds = SLOW_S } = this.target;
    const start = performance.now();
    const fault = await this.#runOnce(bytes);
    if (fault || performance.now() - start < 1000 * slowSeconds) return fault;
    // The machine may have been busy.
    const before = process.cpuUsage();
    await this.#runOnce(bytes);
    const { user, system } = process.cpuUsage(before);
    const seconds = (user + system) / 1e6;
    return seconds < slowSeconds
      ? undefined
      : { kind: "time", text: `${bytes.length} bytes take ${seconds.toFixed(1)} s` };
  }

  async #runOnce(bytes) {
    const { read, workBudget = WORK, memoryBudget = MEMORY } = this.target;
    reset(workBudget, memoryBudget, bytes.length);
    let error;
    try {
      const result = read(bytes.slice());
      if (result instanceof Promise) await Promise.race([result, uncaught()]);
    } catch (thrown) {
      error = thrown;
    }
    error = broken ?? error;
    if (error === undefined || this.#isRefusal(error)) return undefined;
    return this.#describe(error);
  }

  #describe(error) {
    const stack = String(error?.stack ?? error);
    const frames = stack.split("\n").filter((line) => line.includes(this.#folder) || line.includes("file://"));
    const places = frames.map((line) => /at (?:async )?([\w.#<>$]+) \(/.exec(line)?.[1] ?? "?");
    // A budget ends at different places of one loop.
    const kind = error instanceof OverBudget ? error.message : `${error?.name}, ${places.slice(0, 3).join(" < ")}`;
    return {
      kind,
      text: `${error?.name}: ${String(error?.message).slice(0, 500)}\n    in ${places.slice(0, 8).join(" < ")}`,
    };
  }

  /** What the last input reached: branches with how often they were taken. */
  *features() {
    for (let i = 0; i < count; i++) {
      const n = hits[touched[i]];
      yield BUCKETS * touched[i] + (n < 4 ? n - 1 : n < 128 ? Math.min(6, 29 - Math.clz32(n) + 2) : 7);
    }
  }

  /**
   * A shorter input with the same fault.
   *
   * @param announce is called before each trial
   */
  async shrink(bytes, { kind }, announce) {
    let best = bytes;
    const end = performance.now() + 1000 * SHRINK_S;
    for (let size = Math.ceil(best.length / 2); size >= 1 && performance.now() < end; ) {
      let shorter = false;
      for (let at = 0; at < best.length && performance.now() < end; ) {
        const part = new Uint8Array([...best.subarray(0, at), ...best.subarray(at + size)]);
        announce(part);
        if ((await this.run(part))?.kind === kind) {
          best = part;
          shorter = true;
        } else at += size;
      }
      if (!shorter || size > best.length) size = size === 1 ? 0 : Math.ceil(Math.min(size, best.length) / 2);
    }
    return best;
  }
}
