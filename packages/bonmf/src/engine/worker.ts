import { OptionError } from "../errors.js";
import type { Engine } from "./engine.js";
import { callerPort } from "./port.js";
import { openShard } from "./shard.js";
import { type Calls, giveAway, HELLO, packError, type Request, reviveMatrix } from "./wire.js";

/** The worker's side: holds one engine at a time and answers for it. Started by `thread`, imported by nobody. */
const port = callerPort();
const passes = new Map<number, AbortController>();
let engine: Engine | null = null;

port?.listen((message) => {
  const request = message as Request;
  if (request.call === "abort") passes.get(request.id)?.abort();
  else void reply(request);
});
port?.post({ id: HELLO, value: null }, []);

type Asked = Exclude<Request, { call: "abort" }>;
type Reply = { value: Calls[keyof Calls]["value"]; transfer?: ArrayBuffer[] };

async function reply(request: Asked): Promise<void> {
  const { id } = request;
  try {
    const { value, transfer = [] } = await perform(request);
    port?.post({ id, value }, transfer);
  } catch (error) {
    port?.post({ id, error: packError(error) }, []);
  }
}

async function perform(request: Asked): Promise<Reply> {
  if (request.call === "open") {
    const [X, options] = request.args;
    engine = await openShard(reviveMatrix(X), options);
    return { value: null };
  }
  if (engine === null)
    throw new OptionError("call", request.call, `a worker without samples was asked to ${request.call}`);
  switch (request.call) {
    case "pass": {
      const controller = new AbortController();
      passes.set(request.id, controller);
      try {
        const stats = await engine.pass(request.args[0], controller.signal);
        return { value: stats, transfer: giveAway(...stats.parts.map(({ sums }) => sums)) };
      } finally {
        passes.delete(request.id);
      }
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
