import { OptionError } from "../../errors.js";
import type { Engine } from "../engine.js";
import { openShard } from "../shard.js";
import { openStored } from "../window-cache.js";
import { callerPort } from "./port.js";
import { type Calls, giveAway, HELLO, packError, type Request, reviveMatrix } from "./wire.js";

/** What those above the engine have workers do. */
export type Work = (
  engine: Engine,
  task: unknown,
  signal: AbortSignal,
  report: (value: unknown) => void,
) => Promise<unknown>;

const port = callerPort();
const abortable = new Map<number, AbortController>();
let engine: Engine | null = null;

/** The worker's side: holds one engine at a time and answers for it. */
export function serve(work: Work): void {
  port?.listen((message) => {
    const request = message as Request;
    if (request.call === "abort") abortable.get(request.id)?.abort();
    else void reply(request, work);
  });
  port?.post({ id: HELLO, value: null }, []);
}

type Asked = Exclude<Request, { call: "abort" }>;
type Reply = { value: Calls[keyof Calls]["value"]; transfer?: ArrayBuffer[] };

async function reply(request: Asked, work: Work): Promise<void> {
  const { id } = request;
  try {
    const { value, transfer = [] } = await perform(request, work);
    port?.post({ id, value }, transfer);
  } catch (error) {
    port?.post({ id, error: packError(error) }, []);
  }
}

async function perform(request: Asked, work: Work): Promise<Reply> {
  if (request.call === "openShard") {
    const [X, options] = request.args;
    engine = await openShard(reviveMatrix(X), options);
    return { value: null };
  }
  if (request.call === "openStored") {
    engine = await openStored(...request.args);
    return { value: null };
  }
  if (engine === null)
    throw new OptionError("call", request.call, `a worker without samples was asked to ${request.call}`);
  const { id } = request;
  const held = engine;
  switch (request.call) {
    case "pass": {
      const stats = await heedAbort(id, (signal) => held.pass(request.args[0], signal));
      return { value: stats, transfer: giveAway(...stats.parts.map(({ sums }) => sums)) };
    }
    case "run": {
      const report = (value: unknown) => port?.post({ id, report: value }, []);
      return { value: await heedAbort(id, (signal) => work(held, request.args[0], signal, report)) };
    }
    case "rows": {
      const rows = await engine.rows(request.args[0]);
      return { value: rows, transfer: giveAway(rows) };
    }
    case "gather": {
      const codes = await engine.gather();
      return { value: codes, transfer: giveAway(codes) };
    }
    case "revert":
      await engine.revert();
      return { value: null };
    case "scatter":
      await engine.scatter(request.args[0]);
      return { value: null };
    case "close":
      await engine.close();
      engine = null;
      return { value: null };
  }
}

async function heedAbort<T>(id: number, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  abortable.set(id, controller);
  try {
    return await act(controller.signal);
  } finally {
    abortable.delete(id);
  }
}
