import { isFull, toDense } from "../../kernel/simd/csr-to-dense.js";
import { CsrConverter, type CsrPlan, estimateCsrCapacity, planCsr } from "../../kernel/simd/dense-to-csr.js";
import { Dense, type Floats } from "../../matrix/dense.js";
import { clearRows, type Gaps } from "../../matrix/gaps.js";
import type { Matrix } from "../../matrix/matrix.js";
import { Sparse } from "../../matrix/sparse.js";
import { yieldIfDue } from "../yield.js";
import { freeReserved, reserve } from "./bump-allocator.js";
import { allocateMemory, openRegion } from "./regions.js";

/** Memories that `allocateDense` made, by their buffers, and how many engines use each. */
const allocated = new WeakMap<ArrayBufferLike, { readonly memory: WebAssembly.Memory; users: number }>();

/** Records that samples lie in a memory where kernels can read them. */
export function registerSamples(X: Dense, memory: WebAssembly.Memory): void {
  allocated.set(X.data.buffer, { memory, users: 0 });
}

/**
 * Counts an engine as a user of samples that may come from `allocateDense`; the first user frees what earlier fits
 * reserved beside them.
 *
 * @returns what to call when the engine is closed
 */
export function useSamples(X: Matrix): () => void {
  const found = X.kind === "dense" ? allocated.get(X.data.buffer) : undefined;
  if (found === undefined) return () => {};
  if (found.users++ === 0) freeReserved(found.memory);
  return () => {
    found.users--;
  };
}

/** Samples in a memory where kernels can read them. */
export interface LoadedSamples {
  readonly X: Matrix;
  readonly memory: WebAssembly.Memory;
  /** Nothing else is in the memory. */
  readonly own: boolean;
}

/** Has another thread convert samples in a shared memory; ends when nothing is left to do there. */
export type AskConverter = (memory: WebAssembly.Memory, plan: CsrPlan) => Promise<unknown>;

/**
 * Copies samples into a memory of their own, as CSR where most values are zero and dense where few are; samples from
 * `allocateDense` stay where they are, unless they have gaps, which are 0 in the memory. Null where there is no memory.
 *
 * @param gaps IN what is missing of the samples, whatever stands there
 * @param askConverter where another thread has time to help
 */
export async function loadSamples(
  X: Matrix,
  gaps: Gaps | null = null,
  askConverter: AskConverter | null = null,
): Promise<LoadedSamples | null> {
  if (X.kind === "sparse") return (isFull(X) ? await loadAsDense(X) : null) ?? loadCopy(X, null);
  const blank = gaps?.listed === "missing" ? gaps : null;
  const found = blank === null ? allocated.get(X.data.buffer) : undefined;
  if (found !== undefined) return { X, memory: found.memory, own: false };
  const capacity = estimateCsrCapacity(X);
  const sparse = capacity === null ? null : await loadAsSparse(X, blank, capacity, askConverter);
  return sparse ?? loadCopy(X, blank);
}

/** @param blank IN where dense samples become 0 */
function loadCopy(X: Matrix, blank: Gaps | null): LoadedSamples | null {
  const arrays = X.kind === "dense" ? [X.data] : [X.values, X.offsets, X.indices];
  const memory = allocateMemory(arrays.reduce((sum, { byteLength }) => sum + byteLength + 64, 64 * X.samples));
  if (memory === null) return null;
  const put = <V extends Floats | Uint32Array>(array: V): V => {
    const View = array.constructor as new (buffer: ArrayBufferLike, at: number, length: number) => V;
    const view = new View(memory.buffer, reserve(memory, array.byteLength, true), array.length);
    view.set(array);
    return view;
  };
  const { samples, features } = X;
  if (X.kind === "dense") {
    const data = put(X.data);
    if (blank !== null) clearRows(data, features, blank, 0, samples);
    return { X: new Dense(samples, features, data), memory, own: true };
  }
  return { X: Sparse.trust(samples, features, put(X.offsets), put(X.indices), put(X.values)), memory, own: true };
}

/** Chunks that may wait for another thread to convert them. */
const SLOTS = 8;

/** @param blank IN what becomes 0 @param capacity how many values there may be */
async function loadAsSparse(
  X: Dense,
  blank: Gaps | null,
  capacity: number,
  askConverter: AskConverter | null,
): Promise<LoadedSamples | null> {
  const { samples, features } = X;
  // Untouched pages cost nothing.
  const memory = allocateMemory(8 * capacity + 72 * samples);
  const region = memory && (await openRegion(memory));
  if (!region) return null;
  const plan = planCsr(region, X, capacity, askConverter === null ? 1 : SLOTS);
  const converter = new CsrConverter(region, plan);
  const helped = askConverter?.(memory!, plan).catch(() => converter.giveUp());
  while (!converter.ended) {
    if (converter.put < converter.count && converter.hasRoom) converter.putNext(X, blank);
    else if (!converter.convertNext()) await yieldIfDue();
  }
  await helped;
  if (converter.isFull) return null;
  const { offsets, indices, values } = plan;
  const { filled } = converter;
  const ends = region.u32(offsets, samples + 1);
  const inside = Sparse.trust(samples, features, ends, region.u32(indices, filled), region.f32(values, filled));
  return { X: inside, memory: memory!, own: true };
}

async function loadAsDense(X: Sparse): Promise<LoadedSamples | null> {
  const { samples, features } = X;
  const memory = allocateMemory(4 * samples * features + 64 * samples);
  const region = memory && (await openRegion(memory));
  if (!region) return null;
  const inside = new Dense(samples, features, region.f32(toDense(region, X), samples * features));
  return { X: inside, memory, own: true };
}
