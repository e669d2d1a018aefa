import { CHUNK } from "../plain/products.js";
import { unitsOf } from "../plain/rules.js";
import { type PreparedPrototypes, TINY } from "../prepared-prototypes.js";
import type { Placed } from "../region.js";
import { type Codes, goesOnFrom, type Step } from "../step.js";
import { Float32Codes } from "./float32-codes.js";
import { Float32Products } from "./float32-products.js";
import { rowOf, StoredCodes } from "./stored-codes.js";

/** Addresses, for up to k prototypes: codes of 64 bits, codes of a chunk as rows of 32, and shares so. */
interface Buffers {
  readonly k: number;
  readonly H: number;
  readonly rows: number;
  readonly weighted: number;
}

/** Steps whose products are summed in 32 bits, in WebAssembly: the part of `SimdProducts` for such. */
export class Float32Steps {
  readonly products: Float32Products;
  readonly #placed: Placed;
  readonly #codes: Float32Codes;
  /** Room for codes that stay in the memory. */
  readonly #rooms: StoredCodes[] = [];
  #reserved: Buffers | null = null;
  #step: Step | null = null;
  /** Whether the rule finds codes in 32 bits, and whether HHᵀ is summed so. */
  #renews = false;
  #sumsCodes = false;
  /** The address of the shares that are rows of 32 bits already; 0: none. */
  #narrowed = 0;

  constructor(placed: Placed) {
    this.#placed = placed;
    this.products = new Float32Products(placed);
    this.#codes = new Float32Codes(placed);
  }

  /** @param prepared null: not in 32 bits */
  begin(step: Step, prepared: PreparedPrototypes | null): void {
    const scales = prepared?.float32;
    this.#step = step;
    this.#renews = unitsOf(step, scales) !== null;
    this.#sumsCodes = scales !== undefined && !scales.wideCodes;
    this.#narrowed = 0;
    if (scales === undefined) return;
    const { region, samples } = this.#placed;
    const { k } = step;
    const chunk = Math.min(CHUNK, samples);
    const bytes = 4 * rowOf(k) * chunk;
    if (this.#reserved === null || this.#reserved.k < k) {
      const of = (bytes: number) => region.reserve(bytes);
      this.#reserved = { k, H: of(8 * (chunk * k + 1)), rows: of(bytes), weighted: of(bytes) };
    }
    this.products.begin(prepared!);
    this.#codes.begin(step, scales);
    // What another k left there would be summed too.
    const { rows, weighted } = this.#reserved;
    for (const at of [rows, weighted]) region.f32(at, bytes / 4).fill(0);
  }

  get renews(): boolean {
    return this.#renews;
  }

  get sumsCodes(): boolean {
    return this.#sumsCodes;
  }

  /** Renews codes after `products.dots`. @param before IN count × k; null for zeros @param H OUT the address of count × k */
  renew(before: Float64Array | null, count: number, H: number): void {
    const { rows } = this.#reserved!;
    if (before !== null) this.#narrow(before);
    this.#codes.use(null, null);
    this.#codes.renew(before === null ? 0 : rows, this.products.products, count, rows);
    this.products.widen(rows, count, H);
  }

  /**
   * A whole step for codes that stay in the memory.
   *
   * @param X the address of samples from … to − 1 @param S where XHᵀ is summed @returns how many codes changed
   */
  refine(X: number, S: number, before: Codes | null, next: StoredCodes, from: number, to: number): number {
    const step = this.#step!;
    const { k } = step;
    const count = to - from;
    const goesOn = goesOnFrom(step, before);
    const stored = goesOn && before instanceof StoredCodes ? before : null;
    if (goesOn && stored === null) this.#narrow(before!.values!.subarray(from * k, to * k));
    this.#codes.use(stored, next);
    this.products.dots(X, count, 0);
    const A = stored?.addressOf(from) ?? (goesOn ? this.#reserved!.rows : 0);
    const B = next.addressOf(from);
    const changed = this.#codes.renew(A, this.products.products, count, B);
    if (!step.codesOnly) {
      this.#codes.add(B, B, count);
      this.products.add(X, count, B, this.#codes, S);
    }
    return goesOn ? changed : count;
  }

  /** Room for codes that stay in the memory; null where the step has no use for it, or where there is none. @param taken not to be overwritten */
  storeCodes(taken: Codes | null): StoredCodes | null {
    const { region, samples, weights } = this.#placed;
    const { k, l1 } = this.#step!;
    if (!this.#renews || l1 !== undefined || weights !== 0) return null;
    const bytes = 4 * rowOf(k) * samples;
    const old = this.#rooms.findIndex((room) => room !== taken && room.bytes >= bytes);
    if (old >= 0) {
      const room = this.#rooms[old];
      if (room.k !== k) this.#rooms[old] = new StoredCodes(region, samples, k, room);
      return this.#rooms[old];
    }
    const at = region.reserveSome(bytes);
    if (at === 0) return null;
    const room = new StoredCodes(region, samples, k, { at, bytes });
    this.#rooms.push(room);
    return room;
  }

  /** Adds to HHᵀ. @param H IN the address of count × k @param shares IN that of as many shares */
  addCodes(H: number, shares: number, count: number): void {
    const { rows, weighted } = this.#reserved!;
    this.products.narrow(H, count, TINY, rows);
    if (shares !== H) this.products.narrow(shares, count, TINY, weighted);
    this.#codes.add(rows, shares === H ? rows : weighted, count);
    this.#narrowed = shares === H ? rows : weighted;
  }

  /** Adds to XHᵀ, after `addCodes` or alone. @param shares IN the address of count × k */
  add(X: number, count: number, shares: number, S: number): void {
    const rows = this.#narrowed || this.#reserved!.rows;
    if (this.#narrowed === 0) this.products.narrow(shares, count, TINY, rows);
    this.#narrowed = 0;
    this.products.add(X, count, rows, this.#codes, S);
  }

  /** @param HHt OUT k × k, of a block */
  finishCodes(HHt: Float64Array): void {
    this.#codes.finish(HHt);
  }

  /** Codes of a chunk as rows of 32 bits. */
  #narrow(given: Float64Array): void {
    const { H, rows } = this.#reserved!;
    this.#placed.region.f64(H, given.length).set(given);
    this.products.narrow(H, given.length / this.#step!.k, 0, rows);
  }
}
