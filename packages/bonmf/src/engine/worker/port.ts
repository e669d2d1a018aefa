/** Workers of Node and of browsers behind one interface; no other file knows the difference. */

/** One end of the channel between two threads. */
export interface Port {
  post(message: unknown, transfer: ArrayBuffer[]): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** The caller's end of the channel. */
export interface WorkerPort extends Port {
  /** Called, perhaps several times, when the worker fails or is gone. */
  onLoss(listener: (cause: string) => void): void;
  /** Whether the process must stay alive for the worker. */
  keepAlive(wanted: boolean): void;
  terminate(): void;
}

interface NodePort {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  on(event: string, listener: (value: unknown) => void): void;
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

/** A module of Node's, without an import that browsers and bundlers cannot resolve; undefined in browsers. */
function builtin<Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined {
  type Process = { getBuiltinModule?: (name: Name) => NodeModules[Name] };
  return (globalThis as { process?: Process }).process?.getBuiltinModule?.(name);
}

/** Cached: asking again takes longer than some steps of a small fit. */
let cores: number | null = null;

/** How many threads can run at once; 0 on pages that are not cross-origin isolated, where workers cannot share memory. */
export function countCores(): number {
  const os = builtin("node:os");
  cores ??= os?.availableParallelism() ?? null;
  if (cores !== null) return cores;
  return globalThis.crossOriginIsolated ? globalThis.navigator.hardwareConcurrency : 0;
}

export function startWorker(): WorkerPort {
  const threads = builtin("node:worker_threads");
  // Bundlers recognise `new URL("./worker.js", import.meta.url)`. Workers do not inherit flags (--input-type, --import).
  return threads
    ? wrapNode(new threads.Worker(workerUrl(), { execArgv: [] }))
    : wrapWeb(new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
}

/** The worker script beside this file; the built one when tests run the TypeScript sources. */
function workerUrl(): URL {
  const built = import.meta.url.endsWith(".ts") ? "../../../dist/worker.js" : "./worker.js";
  return new URL(built, import.meta.url);
}

/** The worker's end of the channel; null in a thread that is no worker. */
export function callerPort(): Port | null {
  const threads = builtin("node:worker_threads");
  if (!threads) return wrapScope(globalThis as unknown as Worker);
  const { parentPort } = threads;
  return (
    parentPort && {
      post: (message, transfer) => parentPort.postMessage(message, transfer),
      onMessage: (listener) => parentPort.on("message", listener),
    }
  );
}

function wrapScope(scope: Worker): Port {
  return {
    post: (message, transfer) => scope.postMessage(message, transfer),
    onMessage: (listener) => scope.addEventListener("message", ({ data }) => listener(data)),
  };
}

function wrapNode(worker: NodeWorker): WorkerPort {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    onMessage: (listener) => worker.on("message", listener),
    onLoss(listener) {
      worker.on("error", (error) => listener(String(error)));
      worker.on("messageerror", (error) => listener(String(error)));
      worker.on("exit", (code) => listener(`it ended with code ${code}`));
    },
    keepAlive: (wanted) => (wanted ? worker.ref() : worker.unref()),
    terminate: () => void worker.terminate(),
  };
}

function wrapWeb(worker: Worker): WorkerPort {
  return {
    ...wrapScope(worker),
    onLoss(listener) {
      worker.addEventListener("error", (event) => {
        event.preventDefault(); // The caller gets an error; the console need not.
        listener(event.message || "its script could not be loaded");
      });
      worker.addEventListener("messageerror", () => listener("a message could not be read"));
    },
    keepAlive() {},
    terminate: () => worker.terminate(),
  };
}
