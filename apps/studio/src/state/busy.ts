import { store } from "./store.js";

/** Parts of the page are loaded when they are needed, and a server may be gone by then. */
const UNREACHABLE = /dynamically imported module|module script failed|failed to fetch|networkerror|load failed/i;

/** What went wrong, in words. */
export function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!UNREACHABLE.test(message)) return message;
  return "The server of this page does not answer. Start bonmf studio again, then reload: the project is kept.";
}

/** Runs slow work with a status message, and shows its error. */
export async function during<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
  store.busy.value = what;
  store.problem.value = null;
  try {
    return await work();
  } catch (error) {
    store.problem.value = describeError(error);
    return undefined;
  } finally {
    store.busy.value = null;
    store.reading.value = null;
  }
}
