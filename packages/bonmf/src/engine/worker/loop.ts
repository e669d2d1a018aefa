import { OptionError } from "../../errors.js";
import type { Region } from "../../kernel/region.js";
import type { Engine } from "../engine.js";
import { openShard } from "../in-memory.js";
import { openRegion } from "../memory/regions.js";
import { openStored } from "../window-cache.js";
import { assist, convert } from "./assist.js";
import { callerPort } from "./port.js";
import { buffersOf, type Calls, packError, type Request, reviveMatrix, STARTED } from "./wire.js";

/** Runs a task of the layers above the engine in a worker. */
export type Work = (
  engine: Engine,
  task: unknown,
  signal: AbortSignal,
  report: (value: unknown) => void,
) => Promise<unknown>;

/** Runs a task that needs no engine; the arrays of its result move to the caller. */
export type FreeWork = (task: unknown) => object;

const port = callerPort();
const abortable = new Map<number, AbortController>();
let engine: Engine | null = null;
/** The memory that the samples lie in, if it is shared, and the kernels on it when they are needed. */
let memory: WebAssembly.Memory | null = null;
let region: Promise<Region | null> | null = null;

/** The worker's loop: holds one engine at a time and answers requests to it. */
export function serve(work: Work, freeWork: FreeWork): void {
  port?.onMessage((message) => {
    const request = message as Request;
    if (request.call === "abort") abortable.get(request.id)?.abort();
    else void reply(request, work, freeWork);
  });
  port?.post({ id: STARTED, value: null }, []);
}

type EngineRequest = Exclude<Request, { call: "abort" }>;
type Reply = { value: Calls[keyof Calls]["value"]; transfer?: ArrayBuffer[] };

async function reply(request: EngineRequest, work: Work, freeWork: FreeWork): Promise<void> {
  const { id } = request;
  try {
    const { value, transfer = [] } = await perform(request, work, freeWork);
    port?.post({ id, value }, transfer);
  } catch (error) {
    port?.post({ id, error: packError(error) }, []);
  }
}

async function perform(request: EngineRequest, work: Work, freeWork: FreeWork): Promise<Reply> {
  if (request.call === "openShard") {
    const [X, options] = request.args;
    memory = (options.memory ?? null) as WebAssembly.Memory | null;
    region = null;
    engine = await openShard(reviveMatrix(X), options);
    return { value: null };
  }
  if (request.call === "openStored") {
    engine = await openStored(...request.args);
    return { value: null };
  }
  if (request.call === "convert") {
    const [memory, plan] = request.args;
    convert((await openRegion(memory as WebAssembly.Memory))!, plan);
    return { value: null };
  }
  if (request.call === "perform") {
    const value = freeWork(request.args[0]);
    return { value, transfer: buffersOf(value) };
  }
  if (engine === null)
    throw new OptionError("call", request.call, `a worker without samples was asked to ${request.call}`);
  const { id } = request;
  const held = engine;
  switch (request.call) {
    case "pass": {
      const stats = await withAbort(id, (signal) => held.pass(request.args[0], signal));
      return { value: stats, transfer: buffersOf(...stats.parts.map(({ sums }) => sums)) };
    }
    case "run": {
      const report = (value: unknown) => port?.post({ id, report: value }, []);
      return { value: await withAbort(id, (signal) => work(held, request.args[0], signal, report)) };
    }
    case "rows": {
      const rows = await engine.rows(request.args[0]);
      return { value: rows, transfer: buffersOf(rows) };
    }
    case "gather": {
      const codes = await engine.gather();
      return { value: codes, transfer: buffersOf(codes) };
    }
    case "assist": {
      // Makes this thread see what others have added to the memory.
      memory!.grow(0);
      region ??= openRegion(memory!);
      assist((await region)!, request.args[0]);
      return { value: null };
    }
    case "revert":
      await engine.revert();
      return { value: null };
    case "scatter":
      await engine.scatter(request.args[0]);
      return { value: null };
    case "close":
      await engine.close();
      engine = memory = region = null;
      return { value: null };
  }
}

async function withAbort<T>(id: number, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  abortable.set(id, controller);
  try {
    return await act(controller.signal);
  } finally {
    abortable.delete(id);
  }
}
