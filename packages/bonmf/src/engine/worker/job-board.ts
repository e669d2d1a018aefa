import type { Region } from "../../kernel/region.js";

/** Words of a cache line: what one thread writes often does not slow down those who read the rest. */
const LINE = 16;
const [SERIAL, ENTRY, KIND, LEAVE, FAILED, RANGES] = [0, 1, 2, 3, 4, 5].map((line) => line * LINE);
/** Set in ENTRY when nobody may join any more; the other bits count who has joined and not yet left. */
const CLOSED = 2 ** 30;
/** Milliseconds that a thread stays awake: a few times as long as it takes to wake it. */
const AWAKE_MS = 0.3;
/** Looks at a word between two looks at the clock. */
const LOOKS = 500;

/** Whether this thread may sleep: the main thread of a browser may not. */
let maySleep = true;

/**
 * Jobs for threads that share a memory, without a message each: the caller's thread posts a job of many units, and whoever looks takes
 * units of it. Nobody is waited for who has not joined, so a thread that sleeps or is gone delays no one.
 */
export class JobBoard {
  readonly #words: Int32Array;
  readonly #ranges: number;

  static bytes(ranges: number): number {
    return 4 * (RANGES + 2 * LINE * ranges);
  }

  /**
   * @param at its address, where `bytes` were reserved
   * @param ranges how many threads take units; each begins with a range of its own, which stays in its cache
   */
  constructor(region: Region, at: number, ranges: number) {
    this.#words = new Int32Array(region.u32(at, JobBoard.bytes(ranges) / 4).buffer, at, JobBoard.bytes(ranges) / 4);
    this.#ranges = ranges;
  }

  /** Begins a job of so many units. The job before is closed and everybody has left it. */
  post(kind: number, units: number): void {
    const words = this.#words;
    for (let r = 0; r < this.#ranges; r++) {
      const at = RANGES + 2 * LINE * r;
      words[at] = Math.ceil((r * units) / this.#ranges);
      words[at + LINE] = Math.ceil(((r + 1) * units) / this.#ranges);
    }
    words[KIND] = kind;
    Atomics.store(words, ENTRY, 0);
    this.#wake();
  }

  /** A unit for thread t: of its own range, or of another's when that is done. −1: none is left. */
  claim(t: number): number {
    const words = this.#words;
    for (let r = 0; r < this.#ranges; r++) {
      const at = RANGES + 2 * LINE * ((t + r) % this.#ranges);
      const end = words[at + LINE];
      if (Atomics.load(words, at) >= end) continue;
      const unit = Atomics.add(words, at, 1);
      if (unit < end) return unit;
    }
    return -1;
  }

  /** Takes back the units that nobody has claimed. */
  cancel(): void {
    for (let r = 0; r < this.#ranges; r++) {
      const at = RANGES + 2 * LINE * r;
      Atomics.store(this.#words, at, this.#words[at + LINE]);
    }
  }

  /** Lets nobody join any more, and waits a moment for those who have. Whether all have left. */
  close(): boolean {
    Atomics.or(this.#words, ENTRY, CLOSED);
    return this.#await(ENTRY, (entry) => entry === CLOSED, 5);
  }

  /** Whether a thread could not do its part. */
  get failed(): boolean {
    return Atomics.load(this.#words, FAILED) !== 0;
  }

  /** Sends those away who listen by this ticket or an earlier one. */
  dismiss(ticket: number): void {
    Atomics.store(this.#words, LEAVE, ticket);
    this.#wake();
  }

  /**
   * Joins in jobs until it is sent away, or no job has come for a while.
   *
   * @param act does its part of a job
   */
  listen(ticket: number, patience: number, act: (kind: number) => void): void {
    const words = this.#words;
    for (let seen = -1; ; ) {
      const serial = Atomics.load(words, SERIAL);
      if (Atomics.load(words, LEAVE) >= ticket) return;
      if (serial !== seen) {
        seen = serial;
        if (this.#join()) this.#take(act);
      } else if (!this.#await(SERIAL, (now) => now !== serial, patience)) return;
    }
  }

  #join(): boolean {
    const words = this.#words;
    for (let entry = Atomics.load(words, ENTRY); entry < CLOSED; ) {
      const was = Atomics.compareExchange(words, ENTRY, entry, entry + 1);
      if (was === entry) return true;
      entry = was;
    }
    return false;
  }

  #take(act: (kind: number) => void): void {
    try {
      act(this.#words[KIND]);
    } catch (error) {
      Atomics.store(this.#words, FAILED, 1);
      throw error;
    } finally {
      if (Atomics.sub(this.#words, ENTRY, 1) === CLOSED + 1) Atomics.notify(this.#words, ENTRY);
    }
  }

  #wake(): void {
    Atomics.add(this.#words, SERIAL, 1);
    Atomics.notify(this.#words, SERIAL);
  }

  /** Waits at most so many milliseconds until a word is as wanted, awake at first. Whether it is. */
  #await(word: number, isWanted: (value: number) => boolean, ms: number): boolean {
    const words = this.#words;
    for (const end = performance.now() + AWAKE_MS; performance.now() < end; ) {
      for (let look = 0; look < LOOKS; look++) if (isWanted(Atomics.load(words, word))) return true;
    }
    const value = Atomics.load(words, word);
    if (isWanted(value)) return true;
    if (!maySleep) return false;
    try {
      Atomics.wait(words, word, value, ms);
    } catch {
      maySleep = false;
    }
    return isWanted(Atomics.load(words, word));
  }
}
