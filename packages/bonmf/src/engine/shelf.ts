import type { Placed, Region } from "../kernel/region.js";
import { Dense, type Floats } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { Sparse } from "../matrix/sparse.js";
import { countStored, type Reader, type Stored, sizeOf } from "./stored.js";

export const WINDOW_BYTES = 2 ** 18;
/** Samples that are always brought together. */
export const GRAIN = 128;
/** A gap up to this size is read along: asking twice takes longer. */
const GAP_BYTES = 12_288;
const PIECE_BYTES = 2 ** 24;

/** Where samples can be had for the moment: `first` at X, the others behind it; sparse ones as in `Placed`. */
interface Place {
  readonly first: number;
  readonly X: number;
  readonly indices: number;
  readonly values: number;
}

export interface ShelfOptions {
  /** The samples first … last − 1 of all are this thread's. */
  readonly first: number;
  readonly last: number;
  /** Bytes of samples that may stay in memory. */
  readonly room: number;
  /** Bytes of samples that are brought at a time, about; default 256 KB, which the kernels find in the cache. */
  readonly window?: number | undefined;
  /** The most lower bounds a sample may keep. */
  readonly groups?: number | undefined;
  readonly weights: Float64Array | null;
}

/**
 * A thread's samples, of which some are in memory: the first ones always, the others one window at a time, in the same
 * place. Samples are numbered from the thread's first.
 */
export class Shelf {
  /** For kernels that know samples by their number. */
  readonly placed: Placed;
  /** For kernels that count from the first sample of `view`. */
  readonly near: Placed;
  /** Samples of a window at most. */
  readonly window: number;
  readonly #stored: Stored;
  readonly #reader: Reader;
  readonly #first: number;
  /** Samples that stay. */
  #kept = 0;
  readonly #keptPlaces: Place[] = [];
  readonly #slot: Place;
  #at: Place;

  constructor(region: Region, stored: Stored, reader: Reader, options: ShelfOptions) {
    const { first, last, room, window = WINDOW_BYTES, groups, weights } = options;
    const { features, precision, kind, part } = stored;
    this.#stored = stored;
    this.#reader = reader;
    this.#first = first;
    const sparse = kind === "sparse";
    const samples = last - first;
    const row = features * sizeOf(stored);
    const most = Math.max(GRAIN, GRAIN * Math.floor(window / (GRAIN * row)));
    this.window = sparse ? part : Math.min(most, GRAIN * Math.ceil(samples / GRAIN));
    const parts = sparse ? this.#parts(samples) : [];
    const values = parts.reduce((most, p) => Math.max(most, countStored(stored, p)), 0);
    this.#slot = sparse ? this.#shelve(region, values) : { ...NOWHERE, X: region.reserve(row * this.window) };
    this.#at = this.#slot;
    const bytes = sparse ? parts.reduce((sum, p) => sum + this.#bytes(p), 0) : samples * row;
    const norms = region.reserve(8 * samples);
    const weightsAt = weights === null ? 0 : region.reserve(8 * samples);
    if (weights !== null) region.f64(weightsAt, samples).set(weights);
    const fixed = { region, samples, features, precision, sparse, bytes, longest: features, norms, groups };
    this.placed = { ...fixed, ...this.#at, offset: first, weights: weightsAt };
    this.near = { ...this.placed };
    this.#keep(region, room, samples, parts);
  }

  /** Reads the samples that stay. */
  async fill(): Promise<void> {
    if (this.#stored.kind === "sparse") {
      for (const place of this.#keptPlaces) await this.#bringPart(place, place.first, this.#end(place.first));
      return;
    }
    const row = this.#row;
    const step = Math.max(1, Math.floor(PIECE_BYTES / row));
    for (let from = 0; from < this.#kept; from += step) {
      await this.#readDense(this.#keptPlaces[0], from, Math.min(from + step, this.#kept));
    }
  }

  /** Up to where samples can be brought together with `from`, at most to `to`. */
  reach(from: number, to: number): number {
    const end = Math.min(to, from + this.window);
    if (this.#stored.kind === "sparse") return Math.min(end, this.#end(from));
    return from < this.#kept ? Math.min(to, this.#kept) : end;
  }

  /**
   * Puts samples from … to − 1, as far as `reach` says, within reach of the kernels; of others than the listed ones, where
   * there is a list, nothing is sure.
   */
  bring(from: number, to: number, list?: Uint32Array): Promise<void> | undefined {
    if (from < this.#kept) {
      const sparse = this.#stored.kind === "sparse";
      this.#point(this.#keptPlaces[sparse ? Math.floor(from / this.#stored.part) : 0]);
      return undefined;
    }
    const place = { ...this.#slot, first: from };
    this.#point(place);
    return this.#stored.kind === "sparse"
      ? this.#bringPart(place, from, to, list)
      : this.#bringRows(place, from, to, list);
  }

  /** The samples from … to − 1, which were brought, as a matrix; `near` is about them. */
  view(from: number, to: number): Matrix {
    const { region } = this.placed;
    const { features, precision, kind } = this.#stored;
    const { first, X, indices, values } = this.#at;
    const floats = (at: number, length: number): Floats =>
      precision === "f64" ? region.f64(at, length) : region.f32(at, length);
    const start = X + (from - first) * (kind === "sparse" ? 4 : this.#row);
    Object.assign(this.near, { X: start, indices, values });
    if (kind === "dense") return new Dense(to - from, features, floats(start, (to - from) * features));
    const offsets = region.u32(start, to - from + 1);
    const [low, high] = [offsets[0], offsets[to - from]];
    return Sparse.trust(
      to - from,
      features,
      offsets.map((p) => p - low),
      region.u32(indices + 4 * low, high - low),
      floats(values + low * sizeOf(this.#stored), high - low),
    );
  }

  /** Copies of some samples. */
  async take(ids: ArrayLike<number>): Promise<Dense> {
    const { features, precision } = this.#stored;
    const out = Dense.zeros(ids.length, features, precision);
    for (let i = 0; i < ids.length; i++) {
      await this.bring(ids[i], ids[i] + 1);
      out.data.set(this.view(ids[i], ids[i] + 1).row(0), i * features);
    }
    return out;
  }

  /** For kernels: numbers count from this thread's first sample, which need not be in memory. */
  #point(place: Place): void {
    this.#at = place;
    const { first, X, indices, values } = place;
    const back = first * (this.#stored.kind === "sparse" ? 4 : this.#row);
    // Below 0 it wraps round, and so does the kernels' arithmetic.
    Object.assign(this.placed, { X: X - back, indices, values });
  }

  #keep(region: Region, room: number, samples: number, parts: readonly number[]): void {
    if (this.#stored.kind === "dense") {
      this.#kept = Math.min(samples, GRAIN * Math.floor(room / (GRAIN * this.#row)));
      this.#keptPlaces.push({ ...NOWHERE, X: region.reserve(this.#kept * this.#row) });
      return;
    }
    for (const p of parts) {
      const bytes = this.#bytes(p);
      if (bytes > room) break;
      room -= bytes;
      this.#keptPlaces.push({ ...this.#shelve(region, countStored(this.#stored, p)), first: this.#kept });
      this.#kept = this.#end(this.#kept);
    }
  }

  /** Room for a part of sparse samples. */
  #shelve(region: Region, values: number): Place {
    const { part } = this.#stored;
    const X = region.reserve(4 * (part + 1));
    return { first: 0, X, indices: region.reserve(4 * values), values: region.reserve(sizeOf(this.#stored) * values) };
  }

  #bringRows(place: Place, from: number, to: number, list?: Uint32Array): Promise<void> | undefined {
    if (list === undefined || list.length === to - from) return this.#readDense(place, from, to);
    const waits: Promise<void>[] = [];
    const row = this.#row;
    forRuns(
      list,
      (i) => i * row,
      row,
      (first, last) => keepWait(waits, this.#readDense(place, first, last + 1)),
    );
    return joinWaits(waits);
  }

  #bringPart(place: Place, from: number, to: number, list?: Uint32Array): Promise<void> | undefined {
    const { part, starts, samples } = this.#stored;
    const { region } = this.placed;
    const p = Math.floor((this.#first + from) / part);
    const at = this.#first + from - p * part;
    const count = to - from;
    const offsets = this.#read(starts[p] + 4 * at, place.X, 4 * (count + 1));
    const read = () => {
      const ends = region.u32(place.X, count + 1);
      const [low] = ends;
      const size = sizeOf(this.#stored);
      const indices = starts[p] + 4 * (Math.min(part, samples - p * part) + 1) + 4 * low;
      const values = indices + 4 * (countStored(this.#stored, p) - low) + size * low;
      for (let s = 0; s <= count; s++) ends[s] -= low;
      const waits: Promise<void>[] = [];
      const bring = (start: number, end: number) => {
        if (start === end) return;
        keepWait(waits, this.#read(indices + 4 * start, place.indices + 4 * start, 4 * (end - start)));
        keepWait(waits, this.#read(values + size * start, place.values + size * start, size * (end - start)));
      };
      if (list === undefined || list.length === count) bring(0, ends[count]);
      else
        forRuns(
          list,
          (i) => (4 + size) * ends[i - from],
          0,
          (first, last) => bring(ends[first - from], ends[last - from + 1]),
        );
      return joinWaits(waits);
    };
    return offsets ? offsets.then(read) : read();
  }

  #readDense({ first, X }: Place, from: number, to: number): Promise<void> | undefined {
    const row = this.#row;
    const at = this.#stored.starts[0] + (this.#first + from) * row;
    return this.#read(at, X + (from - first) * row, (to - from) * row);
  }

  #read(at: number, address: number, bytes: number): Promise<void> | undefined {
    return this.#reader.read(at, new Uint8Array(this.placed.region.u32(0, 0).buffer, address, bytes));
  }

  get #row(): number {
    return this.#stored.features * sizeOf(this.#stored);
  }

  /** Where the part of sparse samples ends that `from` is in. */
  #end(from: number): number {
    const { part, samples } = this.#stored;
    return Math.min(part * (Math.floor((this.#first + from) / part) + 1), samples) - this.#first;
  }

  #parts(samples: number): number[] {
    const { part } = this.#stored;
    const [first, last] = [this.#first / part, Math.ceil((this.#first + samples) / part)];
    return Array.from({ length: last - first }, (_, p) => first + p);
  }

  #bytes(p: number): number {
    return this.#stored.starts[p + 1] - this.#stored.starts[p];
  }
}

const NOWHERE: Place = { first: 0, X: 0, indices: 0, values: 0 };

/**
 * Calls `visit` with the first and last of listed samples that are worth reading in one go.
 *
 * @param at where a sample begins, and `row` how long it is where that is known
 */
function forRuns(
  list: Uint32Array,
  at: (sample: number) => number,
  row: number,
  visit: (first: number, last: number) => void,
): void {
  let [first, last] = [list[0], list[0]];
  for (let s = 1; s < list.length; s++) {
    if (at(list[s]) - at(last) - row > GAP_BYTES) {
      visit(first, last);
      first = list[s];
    }
    last = list[s];
  }
  visit(first, last);
}

function keepWait(waits: Promise<void>[], wait: Promise<void> | undefined): void {
  if (wait) waits.push(wait);
}

function joinWaits(waits: Promise<void>[]): Promise<void> | undefined {
  return waits.length === 0 ? undefined : Promise.all(waits).then(() => {});
}
