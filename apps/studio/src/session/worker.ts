import { MemoryError } from "bonmf";
import { UserError } from "bonmf-data";
import { answerCalls, tellEvent } from "./remote.js";
import { LocalSession } from "./session.js";

answerCalls(new LocalSession(tellEvent), describe);

/** Hints that speak of the command's flags do not help here. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof MemoryError) return `${error.claim}: the command bonmf reads it where --memory allows it`;
  const hint = error instanceof UserError ? error.hint : undefined;
  return hint && !hint.includes("--") ? `${error.message}: ${hint}` : error.message;
}
