import { createReadStream } from "node:fs";
import { crc32 } from "node:zlib";
import { type Matrix, Sparse } from "bonmf";
import { isMostlyZero } from "bonmf/engine";
import { type Draft, openDraft } from "../write/file.js";
import { type Column as TableColumn, typeOf } from "../write/table.js";
import { PRIVATE } from "./cache-folder.js";
import { BLOCK, type Header, MAGIC, writeHeader } from "./pack-header.js";

/** Roughly the bytes of a part of sparse samples. */
const PART_BYTES = 2 ** 18;
const LEAST_PART = 128;
const MOST_PART = 2 ** 16;

type Name = string | number;
type ColumnType = TableColumn["type"];
type Shape = Pick<Header, "samples" | "features" | "layout" | "part" | "starts">;

/** Writes a pack; the file appears under its name only when it is complete. */
export class PackWriter {
  readonly #draft: Draft;
  readonly #spool: Draft;
  readonly #checksums: number[] = [];
  #position = 0;
  #running = 0;
  #samples = 0;
  #features = 0;
  #layout: Header["layout"] | null = null;
  #part = LEAST_PART;
  readonly #starts: number[] = [];
  /** Sparse samples that do not fill a part yet. */
  #waiting: Sparse[] = [];
  #weights: Column<Float64Array> | null = null;
  #labels: Column<Uint32Array> | null = null;
  readonly #classes = new Map<Name, number>();
  #ids: Omit<NonNullable<Header["ids"]>, "at"> | null = null;

  private constructor(draft: Draft, spool: Draft) {
    this.#draft = draft;
    this.#spool = spool;
  }

  static async open(path: string): Promise<PackWriter> {
    const draft = await openDraft(path, PRIVATE);
    const spool = await openDraft(`${path}.ids`, PRIVATE).catch(async (error) => {
      await draft.discard();
      throw error;
    });
    const writer = new PackWriter(draft, spool);
    try {
      await writer.#put(MAGIC);
    } catch (error) {
      await writer.discard();
      throw error;
    }
    writer.#starts.push(writer.#position);
    return writer;
  }

  /** The temporary file, until `commit`. */
  get temporary(): string {
    return this.#draft.temporary;
  }

  get samples(): number {
    return this.#samples;
  }

  get bytes(): number {
    return this.#position;
  }

  /** Weights so far; null where there are none. */
  get weights(): Float64Array | null {
    return this.#weights?.taken ?? null;
  }

  /** @param plain keep dense samples dense, whatever their density */
  async add(X: Matrix, plain = false): Promise<void> {
    this.#layout ??= X.kind === "dense" && (plain || !isMostlyZero(X.data, X.features)) ? "dense" : "sparse";
    this.#features = Math.max(this.#features, X.features);
    this.#samples += X.samples;
    if (this.#layout === "dense") {
      await this.#put((X.kind === "dense" ? X : X.toDense()).data);
      return;
    }
    const sparse = X.kind === "sparse" ? X : Sparse.fromDense(X);
    if (this.#starts.length === 1 && this.#waiting.length === 0) this.#part = partOf(sparse);
    this.#waiting.push(sparse);
    await this.#flush(false);
  }

  async note(weights: Float64Array | null, labels: readonly Name[] | null, ids: readonly Name[] | null): Promise<void> {
    if (weights) {
      this.#weights ??= new Column((length) => new Float64Array(length));
      this.#weights.append(weights);
    }
    if (labels) {
      this.#labels ??= new Column((length) => new Uint32Array(length));
      this.#labels.append(Uint32Array.from(labels, (label) => this.#classOf(label)));
    }
    if (ids) {
      const line = Buffer.from(`${JSON.stringify(ids)}\n`);
      await this.#spool.write(line);
      const type = widest(this.#ids?.type ?? "integer", typeOf(ids));
      this.#ids = { bytes: (this.#ids?.bytes ?? 0) + line.length, type };
    }
  }

  /** Ends the samples and returns their shape. */
  async end(): Promise<Shape> {
    if (this.#layout === "sparse") await this.#flush(true);
    return {
      samples: this.#samples,
      features: this.#features,
      layout: this.#layout ?? "dense",
      part: this.#part,
      starts: this.#starts,
    };
  }

  /** Adds labels, ids and the header, and renames the file. */
  async commit(about: Omit<Header, keyof Shape | "weights" | "labels" | "ids" | "checksums">): Promise<void> {
    const shape = await this.end();
    const place = async (column: Column<Float64Array | Uint32Array> | null) => {
      const at = this.#position;
      if (column) await this.#put(column.taken);
      return at;
    };
    const weights = await place(this.#weights);
    const labels = await place(this.#labels);
    const ids = this.#position;
    if (this.#ids) for await (const chunk of createReadStream(this.#spool.temporary)) await this.#put(chunk as Buffer);
    if (this.#position % BLOCK > 0) this.#checksums.push(this.#running);
    const header: Header = {
      ...about,
      ...shape,
      weights: this.#weights && weights,
      labels: this.#labels && { at: labels, classes: sameKind([...this.#classes.keys()]) },
      ids: this.#ids && { at: ids, ...this.#ids },
      checksums: this.#checksums,
    };
    await this.#draft.write(writeHeader(header));
    await this.#draft.commit();
    await this.#spool.discard();
  }

  async discard(): Promise<void> {
    await this.#draft.discard();
    await this.#spool.discard();
  }

  #classOf(label: Name): number {
    const known = this.#classes.get(label);
    if (known !== undefined) return known;
    this.#classes.set(label, this.#classes.size);
    return this.#classes.size - 1;
  }

  /** Writes full parts; with `all` the last one, too. */
  async #flush(all: boolean): Promise<void> {
    let held = this.#waiting.reduce((sum, { samples }) => sum + samples, 0);
    while (held >= this.#part || (all && held > 0)) {
      const part = this.#takePart(Math.min(held, this.#part));
      held -= part.reduce((sum, { samples }) => sum + samples, 0);
      const offsets = [Uint32Array.of(0)];
      let stored = 0;
      for (const piece of part) {
        const before = stored;
        offsets.push(piece.offsets.subarray(1).map((end) => end + before));
        stored += piece.values.length;
      }
      for (const piece of offsets) await this.#put(piece);
      for (const { indices } of part) await this.#put(indices);
      for (const { values } of part) await this.#put(values);
      this.#starts.push(this.#position);
    }
  }

  #takePart(wanted: number): Sparse[] {
    const part: Sparse[] = [];
    for (let left = wanted; left > 0; ) {
      const [first, ...rest] = this.#waiting;
      const count = Math.min(left, first.samples);
      part.push(first.slice(0, count));
      this.#waiting = count === first.samples ? rest : [first.slice(count, first.samples), ...rest];
      left -= count;
    }
    return part;
  }

  async #put({ buffer, byteOffset, byteLength }: NodeJS.ArrayBufferView): Promise<void> {
    const bytes = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
    await this.#draft.write(bytes);
    for (let done = 0; done < bytes.length; ) {
      const count = Math.min(bytes.length - done, BLOCK - (this.#position % BLOCK));
      this.#running = crc32(bytes.subarray(done, done + count), this.#running);
      this.#position += count;
      done += count;
      if (this.#position % BLOCK > 0) continue;
      this.#checksums.push(this.#running);
      this.#running = 0;
    }
  }
}

/** A growing array of numbers. */
class Column<T extends Float64Array | Uint32Array> {
  readonly #allocate: (length: number) => T;
  #data: T;
  #length = 0;

  constructor(allocate: (length: number) => T) {
    this.#allocate = allocate;
    this.#data = allocate(1024);
  }

  get taken(): T {
    return this.#data.subarray(0, this.#length) as T;
  }

  append(piece: T): void {
    if (this.#length + piece.length > this.#data.length) {
      const grown = this.#allocate(2 * (this.#length + piece.length));
      grown.set(this.taken);
      this.#data = grown;
    }
    this.#data.set(piece, this.#length);
    this.#length += piece.length;
  }
}

function widest(a: ColumnType, b: ColumnType): ColumnType {
  const order: readonly ColumnType[] = ["integer", "float", "double", "text"];
  return order[Math.max(order.indexOf(a), order.indexOf(b))];
}

/** Classes are numbers only if all of them are. */
function sameKind(classes: readonly Name[]): readonly Name[] {
  return classes.some((name) => typeof name === "string") ? classes.map(String) : classes;
}

function partOf({ samples, values }: Sparse): number {
  const each = 4 + (8 * values.length) / Math.max(1, samples);
  let part = LEAST_PART;
  while (part < MOST_PART && 2 * part * each <= PART_BYTES) part *= 2;
  return part;
}
