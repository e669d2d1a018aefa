import { foldAscii } from "./letters.js";
import { MODULES } from "./module.js";
import type { WordTable } from "./word-table.js";

/** See assembly/text. Addresses are bytes of `memory`. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  foldsAt(): number;
  reserve(length: number): void;
  bytesAt(): number;
  codesAt(): number;
  tokensAt(): number;
  countWords(): number;
  lettersAt(word: number): number;
  sizeOf(word: number): number;
  fold(length: number): void;
  scan(length: number): number;
  find(length: number): number;
  append(): number;
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

/** A table in WebAssembly, for many texts; null where there is none. */
export function openWasmTable(): WordTable | null {
  if (compiled === undefined) compiled = compile();
  try {
    return compiled && new WasmTable(new WebAssembly.Instance(compiled).exports as unknown as Exports);
  } catch {
    return null; // There is no memory for it.
  }
}

const encoder = new TextEncoder();

class WasmTable implements WordTable {
  readonly #wasm: Exports;
  #buffer: ArrayBuffer;
  #bytes: Uint8Array;
  readonly count: () => number;
  readonly scan: (length: number) => number;
  readonly find: (length: number) => number;
  readonly append: () => number;

  constructor(wasm: Exports) {
    this.#wasm = wasm;
    this.#buffer = wasm.memory.buffer;
    this.#bytes = new Uint8Array(this.#buffer);
    foldAscii(this.#bytes.subarray(wasm.foldsAt()));
    this.count = wasm.countWords;
    this.scan = wasm.scan;
    this.find = wasm.find;
    this.append = wasm.append;
  }

  foldAscii(text: string): boolean {
    const { length } = text;
    this.#wasm.reserve(length);
    const at = this.#wasm.bytesAt();
    // Other characters take more bytes than there is room for.
    if (encoder.encodeInto(text, this.#all().subarray(at, at + length)).read !== length) return false;
    this.#wasm.fold(length);
    return true;
  }

  codes(length: number): Uint16Array {
    this.#wasm.reserve(length);
    return new Uint16Array(this.#all().buffer, this.#wasm.codesAt(), length);
  }

  tokens(count: number): Int32Array {
    return new Int32Array(this.#all().buffer, this.#wasm.tokensAt(), count);
  }

  letters(word: number): Uint16Array {
    return new Uint16Array(this.#all().buffer, this.#wasm.lettersAt(word), this.#wasm.sizeOf(word));
  }

  /** The memory, whose buffer changes when it grows. */
  #all(): Uint8Array {
    const { buffer } = this.#wasm.memory;
    if (buffer !== this.#buffer) {
      this.#buffer = buffer;
      this.#bytes = new Uint8Array(buffer);
    }
    return this.#bytes;
  }
}
