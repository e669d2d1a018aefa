/** Vectors and tables within tables; more than any schema needs. */
const DEEPEST = 64;

/** Bytes of a FlatBuffer. Every access is checked, so that damaged offsets throw instead of leading somewhere. */
export class FlatBuffer {
  readonly view: DataView;
  /** Tables that may still be visited: each takes bytes of its own, so shared ones are damage. */
  #left: number;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#left = bytes.length / 4;
  }

  root(): FlatTable {
    return this.table(0, 0);
  }

  /** The table that the offset at `at` leads to. */
  table(at: number, depth: number): FlatTable {
    if (depth > DEEPEST || this.#left-- <= 0) throw new Error("its metadata are nested without end");
    return new FlatTable(this, this.follow(at), depth);
  }

  follow(at: number): number {
    this.check(at, 4);
    return this.check(at + this.view.getUint32(at, true), 4);
  }

  /** `at`, if there are so many bytes. */
  check(at: number, size: number): number {
    if (!(at >= 0 && size >= 0 && at + size <= this.view.byteLength)) throw new Error("its metadata end early");
    return at;
  }
}

/** A list in a FlatBuffer. */
export interface FlatVector {
  readonly at: number;
  readonly length: number;
}

/** A table of a FlatBuffer; fields are numbered as the schema lists them. */
export class FlatTable {
  readonly #buffer: FlatBuffer;
  readonly #at: number;
  readonly #depth: number;
  /** Where its list of fields is, and the bytes of that. */
  readonly #fields: number;
  readonly #size: number;

  constructor(buffer: FlatBuffer, at: number, depth: number) {
    const { view } = buffer;
    this.#buffer = buffer;
    this.#at = at;
    this.#depth = depth;
    this.#fields = buffer.check(at - view.getInt32(at, true), 4);
    this.#size = view.getUint16(this.#fields, true);
    buffer.check(this.#fields, this.#size);
    if (this.#size < 4 || this.#size % 2 !== 0) throw new Error("its metadata are out of order");
  }

  /** Fields that the table may have. */
  get count(): number {
    return (this.#size - 4) / 2;
  }

  /** Where a field of `size` bytes is; 0 where it is absent. */
  find(field: number, size: number): number {
    if (field >= this.count) return 0;
    const offset = this.#buffer.view.getUint16(this.#fields + 4 + 2 * field, true);
    return offset === 0 ? 0 : this.#buffer.check(this.#at + offset, size);
  }

  byte(field: number): number {
    const at = this.find(field, 1);
    return at === 0 ? 0 : this.#buffer.view.getUint8(at);
  }

  short(field: number): number {
    const at = this.find(field, 2);
    return at === 0 ? 0 : this.#buffer.view.getInt16(at, true);
  }

  long(field: number): number {
    const at = this.find(field, 8);
    return at === 0 ? 0 : readLong(this.#buffer.view, at);
  }

  table(field: number): FlatTable | undefined {
    const at = this.find(field, 4);
    return at === 0 ? undefined : this.#buffer.table(at, this.#depth + 1);
  }

  /** @param size of an element, in bytes */
  vector(field: number, size: number): FlatVector {
    const at = this.find(field, 4);
    if (at === 0) return { at: 0, length: 0 };
    const start = this.#buffer.follow(at);
    const length = this.#buffer.view.getUint32(start, true);
    return { at: this.#buffer.check(start + 4, length * size), length };
  }

  tables(field: number): FlatTable[] {
    const { at, length } = this.vector(field, 4);
    return Array.from({ length }, (_, i) => this.#buffer.table(at + 4 * i, this.#depth + 1));
  }

  /** Numbers of 64 bits that the structs of a list consist of. */
  longs({ at, length }: FlatVector, perElement: number): number[] {
    return Array.from({ length: length * perElement }, (_, i) => readLong(this.#buffer.view, at + 8 * i));
  }
}

/** NaN where it is no safe integer. */
export function readLong(view: DataView, at: number): number {
  const value = view.getInt32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
  return Number.isSafeInteger(value) ? value : Number.NaN;
}
