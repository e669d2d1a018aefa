import type { Event, Session } from "./protocol.js";

export interface Call {
  readonly id: number;
  readonly name: keyof Session;
  readonly args: readonly unknown[];
}

export type Reply =
  | { readonly event: Event }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string };

/** A proxy of the worker's session; every call returns a promise. */
export function connect(worker: Worker, hear: (event: Event) => void): Session {
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
  return new Proxy({} as Session, {
    get:
      (_, name: keyof Session) =>
      (...args: unknown[]) =>
        new Promise((resolve, reject) => {
          const call: Call = { id: ++last, name, args };
          waiting.set(call.id, { resolve, reject });
          worker.postMessage(call);
        }),
  });
}
