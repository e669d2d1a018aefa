import type { Event } from "./protocol.js";

export interface Call {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

export type Reply =
  | { readonly event: Event }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string };

/** A proxy of an object in a worker; every call returns a promise. */
export function connect<T extends object>(worker: Worker, hear: (event: Event) => void = () => {}): T {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let last = 0;
  worker.onmessage = ({ data }: MessageEvent<Reply>) => {
    if ("event" in data) {
      hear(data.event);
      return;
    }
    const call = waiting.get(data.id);
    waiting.delete(data.id);
    if ("error" in data) call?.reject(new Error(data.error));
    else call?.resolve(data.value);
  };
  worker.onerror = (event) => {
    for (const { reject } of waiting.values()) reject(new Error(event.message || "the worker could not be started"));
    waiting.clear();
  };
  return new Proxy({} as T, {
    get:
      (_, name: string) =>
      (...args: unknown[]) =>
        new Promise((resolve, reject) => {
          const call: Call = { id: ++last, name, args };
          waiting.set(call.id, { resolve, reject });
          worker.postMessage(call);
        }),
  });
}

const scope = globalThis as unknown as {
  postMessage(message: Reply, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<Call>) => void) | null;
};

export function tellEvent(event: Event, transfer: Transferable[]): void {
  scope.postMessage({ event }, transfer);
}

/** Inside a worker: answers the calls of `connect`. */
export function answerCalls(target: object, describe: (error: unknown) => string): void {
  const methods = target as unknown as Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;
  scope.onmessage = ({ data: { id, name, args } }) => {
    methods[name](...args).then(
      (value) => scope.postMessage({ id, value }, []),
      (error: unknown) => scope.postMessage({ id, error: describe(error) }, []),
    );
  };
}
