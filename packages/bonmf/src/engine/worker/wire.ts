import { BonmfError, DataError, OptionError } from "../../errors.js";
import type { CsrPlan } from "../../kernel/simd/dense-to-csr.js";
import type { Codes, Step } from "../../kernel/step.js";
import { Dense } from "../../matrix/dense.js";
import type { Matrix } from "../../matrix/matrix.js";
import { Sparse } from "../../matrix/sparse.js";
import type { Memory, ShardOptions } from "../engine.js";
import type { Stats } from "../stats.js";
import type { Stored } from "../stored.js";
import type { WindowOptions } from "../window-cache.js";
import type { AssistOrder } from "./assist.js";

/** The requests to a worker, as plain data, and their answers. */
export interface Calls {
  openShard: { args: [X: Matrix, options: ShardOptions]; value: null };
  openStored: { args: [stored: Stored, options: WindowOptions]; value: null };
  pass: { args: [step: Step]; value: Stats };
  revert: { args: []; value: null };
  rows: { args: [ids: number[]]; value: Dense };
  gather: { args: []; value: Codes };
  scatter: { args: [codes: Codes]; value: null };
  /** A task of the layers above the engine. */
  run: { args: [task: unknown]; value: unknown };
  /** A task that needs no engine. */
  perform: { args: [task: unknown]; value: unknown };
  /** Dense samples that the caller puts into a shared memory. */
  convert: { args: [memory: Memory, plan: CsrPlan]; value: null };
  /** Jobs of a board in the memory of the samples. */
  assist: { args: [order: AssistOrder]; value: null };
  close: { args: []; value: null };
}

/** An `abort` carries the id of the request to abort, and has no answer of its own. */
export type Request =
  | { [C in keyof Calls]: { id: number; call: C; args: Calls[C]["args"] } }[keyof Calls]
  | { id: number; call: "abort" };

/** A `report` is progress of a request that is answered later. */
export type Answer = { id: number; value: unknown } | { id: number; error: Failure } | { id: number; report: unknown };

/** The id of the answer with which a worker says that it has started. */
export const STARTED = 0;

type View = Float64Array | Float32Array | Uint32Array | Uint16Array | Uint8Array;

/** What another thread can read: shared memory as it is, else a copy whose buffer is added to `transfer`. */
export function copyForTransfer<V extends View>(view: V, transfer: ArrayBuffer[]): V {
  if (!(view.buffer instanceof ArrayBuffer)) return view;
  // Posting a view would transfer its whole buffer.
  const copy = view.slice();
  transfer.push(copy.buffer as ArrayBuffer);
  return copy as V;
}

/** The same for every array of a record: a step, codes, a matrix, options. */
export function copyAll<T extends object>(record: T, transfer: ArrayBuffer[]): T {
  const fields = Object.entries(record).map(([name, value]) => [
    name,
    isView(value) ? copyForTransfer(value, transfer) : value,
  ]);
  return Object.fromEntries(fields);
}

function isView(value: unknown): value is View {
  return ArrayBuffer.isView(value);
}

/** Posting drops the class of an object; this restores it. */
export function reviveMatrix(X: Matrix): Matrix {
  return X.kind === "dense"
    ? new Dense(X.samples, X.features, X.data)
    : Sparse.trust(X.samples, X.features, X.offsets, X.indices, X.values);
}

/** The buffers that can be transferred with records that this thread no longer needs. */
export function buffersOf(...records: object[]): ArrayBuffer[] {
  const views = records.flatMap((record) => Object.values(record)).filter(isView);
  const whole = views.filter(({ byteLength, buffer }) => byteLength > 0 && byteLength === buffer.byteLength);
  return [...new Set(whole.map(({ buffer }) => buffer))].filter((buffer) => buffer instanceof ArrayBuffer);
}

/** An error as plain data. */
interface Failure {
  name: string;
  message: string;
  code?: string;
  /** Of a DataError. */
  place?: DataError["place"];
  /** Of an OptionError. */
  option?: string;
}

export function packError(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message } = error;
  if (error instanceof DataError) return { name, message, code: error.code, place: error.place };
  if (error instanceof OptionError) return { name, message, option: error.option };
  return error instanceof BonmfError ? { name, message, code: error.code } : { name, message };
}

export function reviveError({ name, message, code, place, option }: Failure): Error {
  if (option !== undefined) return new OptionError(option, null, message);
  if (place !== undefined) return new DataError(code!, message, place);
  return Object.assign(code === undefined ? new Error(message) : new BonmfError(code, message), { name });
}
