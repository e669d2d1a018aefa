import { foldAscii } from "./letters.js";
import { MODULES } from "./module.js";
import { type TextList, writeTexts } from "./texts.js";
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
  blockAt(): number;
  blockSize(): number;
  blockTexts(): number;
  spansAt(): number;
  hashesAt(): number;
  hashTexts(first: number, to: number): number;
  countTexts(first: number, to: number): number;
  scan(length: number): number;
  find(length: number): number;
  append(): number;
  leaveOut(word: number): void;
  count(length: number): number;
  counted(): number;
  entriesAt(): number;
  timesAt(): number;
  lengthsAt(): number;
  endsAt(): number;
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

/** FNV-1a of the characters of each text, in WebAssembly; null where there is none. @param hashOther the same for texts of others than ASCII ones */
export function hashInWasm(texts: TextList, hashOther: (text: string) => number): Uint32Array | null {
  const wasm = instantiate();
  if (wasm === null) return null;
  const block = new TextBlock(wasm);
  const found = new Uint32Array(texts.length);
  for (let from = 0; from < texts.length; ) {
    const count = block.put(texts, from, texts.length);
    for (let t = wasm.hashTexts(0, count); t < count; t = wasm.hashTexts(t + 1, count)) {
      block.hashes[t] = hashOther(texts.at(from + t)!);
    }
    found.set(block.hashes.subarray(0, count), from);
    // One that is longer than the block.
    if (count === 0) found[from] = hashOther(texts.at(from)!);
    from += Math.max(1, count);
  }
  return found;
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

/** Where some texts are put together. */
class TextBlock {
  readonly #wasm: Exports;
  #buffer: ArrayBuffer | null = null;
  #bytes = new Uint8Array(0);
  #spans = new Uint32Array(0);
  #hashes = new Uint32Array(0);

  constructor(wasm: Exports) {
    this.#wasm = wasm;
  }

  /** Puts as many of the texts there as there is room for. @returns how many; 0 where the first is longer than a block */
  put(texts: TextList, from: number, to: number): number {
    this.#view();
    return writeTexts(texts, from, to, this.#bytes, this.#spans);
  }

  get hashes(): Uint32Array {
    this.#view();
    return this.#hashes;
  }

  /** Nothing is left of views when the memory has grown. */
  #view(): void {
    const { memory, blockAt, blockSize, blockTexts, spansAt, hashesAt } = this.#wasm;
    const { buffer } = memory;
    if (buffer === this.#buffer) return;
    this.#buffer = buffer;
    this.#bytes = new Uint8Array(buffer, blockAt(), blockSize());
    this.#spans = new Uint32Array(buffer, spansAt(), 2 * blockTexts());
    this.#hashes = new Uint32Array(buffer, hashesAt(), blockTexts());
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
    this.#texts.reserve(wasm.blockSize());
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
  readonly #block: TextBlock;
  readonly leaveOut: (word: number) => void;
  readonly countTexts: (first: number, to: number) => number;

  constructor(wasm: Exports) {
    this.#wasm = wasm;
    this.#block = new TextBlock(wasm);
    this.leaveOut = wasm.leaveOut;
    this.countTexts = wasm.countTexts;
  }

  count(length: number): boolean {
    const stored = this.#wasm.count(length);
    return stored < 0 || stored >= TOGETHER;
  }

  put(texts: TextList, from: number, to: number): number {
    return this.#block.put(texts, from, to);
  }

  take(): CountedTexts {
    const wasm = this.#wasm;
    const { buffer } = wasm.memory;
    const texts = wasm.counted();
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
