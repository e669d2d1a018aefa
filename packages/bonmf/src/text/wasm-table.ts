import { foldAscii } from "./letters.js";
import { MODULES } from "./module.js";
import type { CountedTexts, Tally, WordTable } from "./word-table.js";

/** See assembly/text. Addresses are bytes of `memory`. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  foldsAt(): number;
  reserve(length: number): void;
  bytesAt(): number;
  codesAt(): number;
  tokensAt(): number;
  countWords(): number;
  spell(first: number): number;
  speltTo(): number;
  fold(length: number): void;
  hash(length: number): number;
  scan(length: number): number;
  find(length: number): number;
  append(): number;
  leaveOut(word: number): void;
  count(length: number): number;
  entriesAt(): number;
  timesAt(): number;
  lengthsAt(): number;
  endsAt(): number;
  countTexts(): number;
  takeTexts(): void;
  takeTotals(): number;
}

let compiled: WebAssembly.Module | null | undefined;

/** Null where there is no WebAssembly. Compiled at once: browsers allow that of a module as small as this. */
function compile(): WebAssembly.Module | null {
  try {
    return new WebAssembly.Module(Uint8Array.from(atob(MODULES.own), (c) => c.charCodeAt(0)));
  } catch {
    return null;
  }
}

function instantiate(): Exports | null {
  if (compiled === undefined) compiled = compile();
  try {
    return compiled && (new WebAssembly.Instance(compiled).exports as unknown as Exports);
  } catch {
    return null; // There is no memory for it.
  }
}

/** A table in WebAssembly, for many texts; null where there is none. */
export function openWasmTable(): WordTable | null {
  const wasm = instantiate();
  return wasm && new WasmTable(wasm);
}

/** FNV-1a of the characters of texts, in WebAssembly; null for other texts than ASCII ones, and where there is none. */
export function openAsciiHash(): ((text: string) => number | null) | null {
  const wasm = instantiate();
  if (wasm === null) return null;
  const texts = new TextMemory(wasm);
  return (text) => (texts.put(text) ? wasm.hash(text.length) >>> 0 : null);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Where texts are put. */
class TextMemory {
  readonly #wasm: Exports;
  #room = 0;
  #bytes = new Uint8Array(0);

  constructor(wasm: Exports) {
    this.#wasm = wasm;
  }

  reserve(length: number): void {
    if (length <= this.#room) return;
    this.#room = Math.max(length, 2 * this.#room);
    this.#wasm.reserve(this.#room);
    this.#bytes = new Uint8Array(0);
  }

  /** @returns whether it is of ASCII characters */
  put(text: string): boolean {
    const { length } = text;
    this.reserve(length);
    // Nothing is left of a view when the memory has grown.
    if (this.#bytes.length === 0)
      this.#bytes = new Uint8Array(this.#wasm.memory.buffer, this.#wasm.bytesAt(), this.#room);
    // Other characters take more bytes.
    const { read, written } = encoder.encodeInto(text, this.#bytes);
    return read === length && written === length;
  }
}

/** Entries that are taken together. */
const TOGETHER = 2 ** 16;

class WasmTable implements WordTable {
  readonly #wasm: Exports;
  readonly #texts: TextMemory;
  readonly count: () => number;
  readonly scan: (length: number) => number;
  readonly find: (length: number) => number;
  readonly append: () => number;
  readonly tally: Tally;

  constructor(wasm: Exports) {
    this.#wasm = wasm;
    this.#texts = new TextMemory(wasm);
    foldAscii(new Uint8Array(wasm.memory.buffer, wasm.foldsAt()));
    this.count = wasm.countWords;
    this.scan = wasm.scan;
    this.find = wasm.find;
    this.append = wasm.append;
    this.tally = new WasmTally(wasm);
  }

  foldAscii(text: string): boolean {
    if (!this.#texts.put(text)) return false;
    this.#wasm.fold(text.length);
    return true;
  }

  codes(length: number): Uint16Array {
    this.#texts.reserve(length);
    return new Uint16Array(this.#wasm.memory.buffer, this.#wasm.codesAt(), length);
  }

  tokens(count: number): Int32Array {
    return new Int32Array(this.#wasm.memory.buffer, this.#wasm.tokensAt(), count);
  }

  spell(first: number): string[] {
    const from = this.#wasm.spell(first);
    const bytes = new Uint8Array(this.#wasm.memory.buffer, from, this.#wasm.speltTo() - from);
    return bytes.length === 0 ? [] : decoder.decode(bytes.subarray(0, -1)).split("\n");
  }
}

class WasmTally implements Tally {
  readonly #wasm: Exports;
  readonly leaveOut: (word: number) => void;

  constructor(wasm: Exports) {
    this.#wasm = wasm;
    this.leaveOut = wasm.leaveOut;
  }

  count(length: number): boolean {
    const stored = this.#wasm.count(length);
    return stored < 0 || stored >= TOGETHER;
  }

  take(): CountedTexts {
    const wasm = this.#wasm;
    const { buffer } = wasm.memory;
    const texts = wasm.countTexts();
    const ends = new Uint32Array(buffer, wasm.endsAt(), texts);
    const stored = texts === 0 ? 0 : ends[texts - 1];
    const entries = new Uint32Array(buffer, wasm.entriesAt(), stored);
    const times = new Float32Array(buffer, wasm.timesAt(), stored);
    const lengths = new Uint32Array(buffer, wasm.lengthsAt(), texts);
    wasm.takeTexts();
    return { entries, times, lengths, ends };
  }

  takeTotals(): { totals: Uint32Array; holders: Uint32Array } {
    const words = this.#wasm.countWords();
    const at = this.#wasm.takeTotals();
    const { buffer } = this.#wasm.memory;
    return { totals: new Uint32Array(buffer, at, words), holders: new Uint32Array(buffer, at + 4 * words, words) };
  }
}
