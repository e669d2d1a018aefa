const heard = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Has something done when a signal aborts, and gives back what takes that back. However many wait for a signal, it has one
 * listener of ours: with more than ten Node suspects a leak.
 */
export function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal === undefined) return () => {};
  const acts = heard.get(signal) ?? new Set();
  if (!heard.has(signal)) {
    heard.set(signal, acts);
    const actAll = () => {
      for (const each of [...acts]) each();
    };
    signal.addEventListener("abort", actAll, { once: true });
  }
  acts.add(act);
  return () => acts.delete(act);
}
