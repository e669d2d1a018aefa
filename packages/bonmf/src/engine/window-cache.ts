import { type Rows, rowsOf } from "../kernel/plain/rows.js";
import type { Kernels, Placed, Region } from "../kernel/region.js";
import { Dense, type Floats } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { fullestRow, Sparse } from "../matrix/sparse.js";
import type { Engine, SampleWindows } from "./engine.js";
import { makeRegion } from "./memory/regions.js";
import { openSingleThread } from "./single-thread.js";
import { countStored, isReaderModule, openReader, type Reader, type Stored, sizeOf } from "./stored.js";

/** The size of a window that is likely to stay in the processor's cache. */
export const WINDOW_BYTES = 2 ** 18;
/** Dense windows are multiples of this many samples. */
const GRAIN = 128;
/** A gap up to this size is read along: another read takes longer. */
const GAP_BYTES = 12_288;
/** The most that one read fetches of the samples that stay in memory. */
const READ_BYTES = 2 ** 24;

/** Where some samples are in memory: sample `first` at X, the others behind it; sparse ones as in `Placed`. */
interface Place {
  readonly first: number;
  readonly X: number;
  readonly indices: number;
  readonly values: number;
}

const NOWHERE: Place = { first: 0, X: 0, indices: 0, values: 0 };

export interface WindowOptions {
  /** The samples first … last − 1 of all are this thread's. */
  readonly first: number;
  readonly last: number;
  /** Bytes of samples that may stay in memory. */
  readonly capacity: number;
  /** Bytes of samples that are read at a time, about; default 256 KB. */
  readonly window?: number | undefined;
  /** The most lower bounds a sample may keep. */
  readonly groups?: number | undefined;
  readonly weights: Float64Array | null;
}

/**
 * The engine for stored samples that one thread reads. Only labels, bounds and lengths stay in memory for every sample: a
 * sweep reads window after window, and of a window only the samples whose label is in doubt.
 */
export async function openStored(stored: Stored, options: WindowOptions): Promise<Engine> {
  const reader = await openReader(stored.reader);
  const cache = new WindowCache(await makeRegion(0), stored, reader, options);
  await cache.fill();
  return openSingleThread(cache, stored.samples);
}

/**
 * The stored samples of one thread. The first ones stay in memory, as many as there is room for; the others are read a
 * window at a time, into the same place.
 */
class WindowCache implements SampleWindows {
  readonly samples: number;
  readonly features: number;
  readonly precision: Stored["precision"];
  readonly offset: number;
  readonly gaps = null;
  readonly weights: Float64Array | null;
  readonly resident = false;
  readonly placed: Placed | null;
  readonly viewed: Placed | null;
  /** As `placed` and `viewed`, also where kernels cannot run. */
  readonly #byNumber: Placed;
  readonly #byView: Placed;
  readonly #region: Region;
  readonly #stored: Stored;
  readonly #reader: Reader;
  /** The most samples of a window. */
  readonly #window: number;
  /** How many samples stay in memory, and where: one place for dense samples, one for each part of sparse ones. */
  #kept = 0;
  readonly #keptPlaces: Place[] = [];
  readonly #slot: Place;
  /** The place of the last window. */
  #current: Place;

  /** @param region null where kernels cannot run */
  constructor(region: Region | null, stored: Stored, reader: Reader, options: WindowOptions) {
    const { first, last, capacity, window = WINDOW_BYTES, groups, weights } = options;
    const { features, precision, kind, part } = stored;
    const samples = last - first;
    this.samples = samples;
    this.features = features;
    this.precision = precision;
    this.offset = first;
    this.weights = weights;
    this.#region = region ?? plainRegion();
    this.#stored = stored;
    this.#reader = reader;
    const sparse = kind === "sparse";
    const row = this.#rowBytes;
    const most = Math.max(GRAIN, GRAIN * Math.floor(window / (GRAIN * row)));
    this.#window = sparse ? part : Math.min(most, GRAIN * Math.ceil(samples / GRAIN));
    const parts = sparse ? this.#parts() : [];
    const values = parts.reduce((most, p) => Math.max(most, countStored(stored, p)), 0);
    this.#slot = sparse ? this.#reservePart(values) : { ...NOWHERE, X: this.#region.reserve(row * this.#window) };
    this.#current = this.#slot;
    const bytes = sparse ? parts.reduce((sum, p) => sum + this.#partBytes(p), 0) : samples * row;
    const norms = this.#region.reserve(8 * samples);
    const weightsAt = weights === null ? 0 : this.#region.reserve(8 * samples);
    if (weights !== null) this.#region.f64(weightsAt, samples).set(weights);
    // Grows while the survey reads sparse samples.
    const longest = sparse ? 0 : features;
    const fixed = { region: this.#region, samples, features, precision, sparse, bytes, longest, norms, groups };
    this.#byNumber = { ...fixed, ...this.#current, offset: first, weights: weightsAt };
    this.#byView = { ...this.#byNumber };
    this.placed = region && this.#byNumber;
    this.viewed = region && this.#byView;
    this.#keep(capacity, parts);
  }

  /** Reads the samples that stay in memory. */
  async fill(): Promise<void> {
    if (this.#stored.kind === "sparse") {
      for (const place of this.#keptPlaces) await this.#readPart(place, place.first, this.#partEnd(place.first));
      return;
    }
    const step = Math.max(1, Math.floor(READ_BYTES / this.#rowBytes));
    for (let from = 0; from < this.#kept; from += step) {
      await this.#readDense(this.#keptPlaces[0], from, Math.min(from + step, this.#kept));
    }
  }

  windowEnd(from: number, to: number): number {
    const end = Math.min(to, from + this.#window);
    if (this.#stored.kind === "sparse") return Math.min(end, this.#partEnd(from));
    return from < this.#kept ? Math.min(to, this.#kept) : end;
  }

  load(from: number, to: number, list?: Uint32Array): Promise<void> | undefined {
    const sparse = this.#stored.kind === "sparse";
    if (from < this.#kept) {
      this.#pointTo(this.#keptPlaces[sparse ? Math.floor(from / this.#stored.part) : 0]);
      return undefined;
    }
    const place = { ...this.#slot, first: from };
    this.#pointTo(place);
    return sparse ? this.#readPart(place, from, to, list) : this.#readRows(place, from, to, list);
  }

  view(from: number, to: number): { rows: Rows; first: number } {
    return { rows: rowsOf(this.#matrix(from, to)), first: from };
  }

  surveyed(from: number, to: number): void {
    if (this.#stored.kind === "dense") return;
    const longest = Math.max(this.#byNumber.longest, fullestRow(this.#matrix(from, to) as Sparse));
    for (const placed of [this.#byNumber, this.#byView]) Object.assign(placed, { longest });
  }

  async take(ids: ArrayLike<number>): Promise<Dense> {
    const out = Dense.zeros(ids.length, this.features, this.precision);
    for (let i = 0; i < ids.length; i++) {
      await this.load(ids[i], ids[i] + 1);
      out.data.set(this.#matrix(ids[i], ids[i] + 1).row(0), i * this.features);
    }
    return out;
  }

  async close(): Promise<void> {
    if (isReaderModule(this.#stored.reader)) await this.#reader.close?.();
  }

  /** Samples from … to − 1 of the current window as a matrix; points `#byView` to them. */
  #matrix(from: number, to: number): Matrix {
    const { features, precision } = this;
    const region = this.#region;
    const sparse = this.#stored.kind === "sparse";
    const { first, X, indices, values } = this.#current;
    const floats = (at: number, length: number): Floats =>
      precision === "f64" ? region.f64(at, length) : region.f32(at, length);
    const start = X + (from - first) * (sparse ? 4 : this.#rowBytes);
    Object.assign(this.#byView, { X: start, indices, values });
    if (!sparse) return new Dense(to - from, features, floats(start, (to - from) * features));
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

  /** Makes a place the current window: kernels number samples from the thread's first, which need not be in memory. */
  #pointTo(place: Place): void {
    this.#current = place;
    const { first, X, indices, values } = place;
    const back = first * (this.#stored.kind === "sparse" ? 4 : this.#rowBytes);
    // Addresses below 0 wrap around, as they do in the kernels.
    Object.assign(this.#byNumber, { X: X - back, indices, values });
  }

  /** Reserves memory for the samples that stay. */
  #keep(capacity: number, parts: readonly number[]): void {
    if (this.#stored.kind === "dense") {
      this.#kept = Math.min(this.samples, GRAIN * Math.floor(capacity / (GRAIN * this.#rowBytes)));
      this.#keptPlaces.push({ ...NOWHERE, X: this.#region.reserve(this.#kept * this.#rowBytes) });
      return;
    }
    for (const p of parts) {
      const bytes = this.#partBytes(p);
      if (bytes > capacity) break;
      capacity -= bytes;
      this.#keptPlaces.push({ ...this.#reservePart(countStored(this.#stored, p)), first: this.#kept });
      this.#kept = this.#partEnd(this.#kept);
    }
  }

  /** Reserves memory for a part of sparse samples. */
  #reservePart(values: number): Place {
    const region = this.#region;
    const X = region.reserve(4 * (this.#stored.part + 1));
    return { first: 0, X, indices: region.reserve(4 * values), values: region.reserve(sizeOf(this.#stored) * values) };
  }

  #readRows(place: Place, from: number, to: number, list?: Uint32Array): Promise<void> | undefined {
    if (list === undefined || list.length === to - from) return this.#readDense(place, from, to);
    const waits: Promise<void>[] = [];
    const row = this.#rowBytes;
    forRuns(
      list,
      (i) => i * row,
      row,
      (first, last) => addWait(waits, this.#readDense(place, first, last + 1)),
    );
    return joinWaits(waits);
  }

  #readPart(place: Place, from: number, to: number, list?: Uint32Array): Promise<void> | undefined {
    const { part, starts, samples } = this.#stored;
    const p = Math.floor((this.offset + from) / part);
    const at = this.offset + from - p * part;
    const count = to - from;
    const offsets = this.#read(starts[p] + 4 * at, place.X, 4 * (count + 1));
    const read = () => {
      const ends = this.#region.u32(place.X, count + 1);
      const [low] = ends;
      const size = sizeOf(this.#stored);
      const indices = starts[p] + 4 * (Math.min(part, samples - p * part) + 1) + 4 * low;
      const values = indices + 4 * (countStored(this.#stored, p) - low) + size * low;
      for (let s = 0; s <= count; s++) ends[s] -= low;
      const waits: Promise<void>[] = [];
      const fetch = (start: number, end: number) => {
        if (start === end) return;
        addWait(waits, this.#read(indices + 4 * start, place.indices + 4 * start, 4 * (end - start)));
        addWait(waits, this.#read(values + size * start, place.values + size * start, size * (end - start)));
      };
      if (list === undefined || list.length === count) fetch(0, ends[count]);
      else
        forRuns(
          list,
          (i) => (4 + size) * ends[i - from],
          0,
          (first, last) => fetch(ends[first - from], ends[last - from + 1]),
        );
      return joinWaits(waits);
    };
    return offsets ? offsets.then(read) : read();
  }

  #readDense({ first, X }: Place, from: number, to: number): Promise<void> | undefined {
    const row = this.#rowBytes;
    const at = this.#stored.starts[0] + (this.offset + from) * row;
    return this.#read(at, X + (from - first) * row, (to - from) * row);
  }

  #read(at: number, address: number, bytes: number): Promise<void> | undefined {
    return this.#reader.read(at, new Uint8Array(this.#region.u32(0, 0).buffer, address, bytes));
  }

  get #rowBytes(): number {
    return this.#stored.features * sizeOf(this.#stored);
  }

  /** Where the part of sparse samples ends that `from` is in. */
  #partEnd(from: number): number {
    const { part, samples } = this.#stored;
    return Math.min(part * (Math.floor((this.offset + from) / part) + 1), samples) - this.offset;
  }

  /** The numbers of this thread's parts of sparse samples. */
  #parts(): number[] {
    const { part } = this.#stored;
    const [first, last] = [this.offset / part, Math.ceil((this.offset + this.samples) / part)];
    return Array.from({ length: last - first }, (_, p) => first + p);
  }

  #partBytes(p: number): number {
    return this.#stored.starts[p + 1] - this.#stored.starts[p];
  }
}

/** Memory like a region's, without kernels. */
function plainRegion(): Region {
  let bytes = new ArrayBuffer(64);
  return {
    kernel: {} as Kernels,
    scratch: 0,
    reserveSome: () => 0,
    reserve(more) {
      const at = bytes.byteLength;
      const grown = new Uint8Array(64 * Math.ceil((at + more) / 64));
      grown.set(new Uint8Array(bytes));
      bytes = grown.buffer;
      return at;
    },
    f32: (at, length) => new Float32Array(bytes, at, length),
    f64: (at, length) => new Float64Array(bytes, at, length),
    u32: (at, length) => new Uint32Array(bytes, at, length),
  };
}

/**
 * Calls `visit` with the first and last of each run of listed samples that one read should fetch.
 *
 * @param at the byte where a sample begins
 * @param row how many bytes a sample has; 0: unknown
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

function addWait(waits: Promise<void>[], wait: Promise<void> | undefined): void {
  if (wait) waits.push(wait);
}

function joinWaits(waits: Promise<void>[]): Promise<void> | undefined {
  return waits.length === 0 ? undefined : Promise.all(waits).then(() => {});
}
