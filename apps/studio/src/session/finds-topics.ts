import type { Order } from "./protocol.js";

/**
 * Whether a fit finds topics, as `bonmf topics` does: of texts, unless people choose what it has none of. On vectors nothing of that
 * can be chosen.
 */
export function findsTopics(
  { scale, init, maxIterations }: Order,
  { texts, vectors }: { readonly texts: boolean; readonly vectors: boolean },
): boolean {
  return vectors || (texts && scale === "auto" && init === null && maxIterations === null);
}
