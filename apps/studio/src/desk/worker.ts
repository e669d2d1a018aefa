import { Workbench } from "./desk.js";
import type { Desk, Event } from "./protocol.js";
import type { Call, Reply } from "./remote.js";

const scope = globalThis as unknown as {
  postMessage(message: Reply, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<Call>) => void) | null;
};

const desk: Desk = new Workbench((event: Event, transfer) => scope.postMessage({ event }, transfer));

scope.onmessage = ({ data: { id, name, args } }) => {
  const method = desk[name] as (...args: readonly unknown[]) => Promise<unknown>;
  method.apply(desk, args as unknown[]).then(
    (value) => scope.postMessage({ id, value }, []),
    (error: unknown) => scope.postMessage({ id, error: error instanceof Error ? error.message : String(error) }, []),
  );
};
