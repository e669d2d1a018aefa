import { MemoryError } from "bonmf";
import { UserError } from "bonmf-data";
import type { Event, Session } from "./protocol.js";
import type { Call, Reply } from "./remote.js";
import { LocalSession } from "./session.js";

const scope = globalThis as unknown as {
  postMessage(message: Reply, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<Call>) => void) | null;
};

const session: Session = new LocalSession((event: Event, transfer) => scope.postMessage({ event }, transfer));

scope.onmessage = ({ data: { id, name, args } }) => {
  const method = session[name] as (...args: readonly unknown[]) => Promise<unknown>;
  method.apply(session, args as unknown[]).then(
    (value) => scope.postMessage({ id, value }, []),
    (error: unknown) => scope.postMessage({ id, error: describe(error) }, []),
  );
};

/** Hints that speak of the command's flags do not help here. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof MemoryError) return `${error.claim}: the command bonmf reads it where --memory allows it`;
  const hint = error instanceof UserError ? error.hint : undefined;
  return hint && !hint.includes("--") ? `${error.message}: ${hint}` : error.message;
}
