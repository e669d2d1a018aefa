/** Workers as Node and browsers have them, told apart here and nowhere else. */

/** One end of a line between two threads. */
export interface Port {
  post(message: unknown, transfer: ArrayBuffer[]): void;
  listen(hear: (message: unknown) => void): void;
}

/** The caller's end, with the worker at the other. */
export interface WorkerPort extends Port {
  /** Hears once, or more often, that the worker failed or is gone. */
  mourn(hear: (cause: string) => void): void;
  /** Whether the process must stay alive for the worker. */
  hold(wanted: boolean): void;
  end(): void;
}

interface NodePort {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  on(event: string, hear: (value: unknown) => void): void;
}

interface NodeWorker extends NodePort {
  ref(): void;
  unref(): void;
  terminate(): Promise<number>;
}

interface NodeModules {
  "node:worker_threads": {
    parentPort: NodePort | null;
    Worker: new (url: URL, options: { execArgv: string[] }) => NodeWorker;
  };
  "node:os": { availableParallelism(): number };
}

/** A module of Node's without an import, which browsers and bundlers would stumble over; undefined in browsers. */
function builtin<Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined {
  type Process = { getBuiltinModule?: (name: Name) => NodeModules[Name] };
  return (globalThis as { process?: Process }).process?.getBuiltinModule?.(name);
}

/** To ask again takes longer than some steps of a small fit. */
let cores: number | null = null;

/** How many threads can run at once; 0 where workers are not to be used: pages that are not cross-origin isolated. */
export function countCores(): number {
  const os = builtin("node:os");
  cores ??= os?.availableParallelism() ?? null;
  if (cores !== null) return cores;
  return globalThis.crossOriginIsolated ? globalThis.navigator.hardwareConcurrency : 0;
}

export function startWorker(): WorkerPort {
  const threads = builtin("node:worker_threads");
  // Bundlers find the worker by this very expression. The caller's flags (--input-type, --import) are not for it.
  return threads
    ? wrapNode(new threads.Worker(workerUrl(), { execArgv: [] }))
    : wrapWeb(new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
}

/** Beside this file, or, when the tests run the TypeScript sources, what was built from them. */
function workerUrl(): URL {
  const built = import.meta.url.endsWith(".ts") ? "../../../dist/worker.js" : "./worker.js";
  return new URL(built, import.meta.url);
}

/** The worker's end of the line; null in a thread that is no worker. */
export function callerPort(): Port | null {
  const threads = builtin("node:worker_threads");
  if (!threads) return wrapScope(globalThis as unknown as Worker);
  const { parentPort } = threads;
  return (
    parentPort && {
      post: (message, transfer) => parentPort.postMessage(message, transfer),
      listen: (hear) => parentPort.on("message", hear),
    }
  );
}

function wrapScope(scope: Worker): Port {
  return {
    post: (message, transfer) => scope.postMessage(message, transfer),
    listen: (hear) => scope.addEventListener("message", ({ data }) => hear(data)),
  };
}

function wrapNode(worker: NodeWorker): WorkerPort {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen: (hear) => worker.on("message", hear),
    mourn(hear) {
      worker.on("error", (error) => hear(String(error)));
      worker.on("messageerror", (error) => hear(String(error)));
      worker.on("exit", (code) => hear(`it ended with code ${code}`));
    },
    hold: (wanted) => (wanted ? worker.ref() : worker.unref()),
    end: () => void worker.terminate(),
  };
}

function wrapWeb(worker: Worker): WorkerPort {
  return {
    ...wrapScope(worker),
    mourn(hear) {
      worker.addEventListener("error", (event) => {
        event.preventDefault(); // It is reported to the caller, not to the console.
        hear(event.message || "its script could not be loaded");
      });
      worker.addEventListener("messageerror", () => hear("a message could not be read"));
    },
    hold() {},
    end: () => worker.terminate(),
  };
}
