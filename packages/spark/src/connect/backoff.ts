import { setTimeout as sleep } from "node:timers/promises";
import { type ServiceError, status } from "@grpc/grpc-js";

const FIRST = 50;
const LONGEST = 5_000;

/** Waits between attempts, longer each time, until the patience has run out. */
export class Backoff {
  readonly #patience: number;
  #pause = FIRST;
  #since: number | undefined;

  constructor(patience: number) {
    this.#patience = patience;
  }

  /** Something worked: the next failure is the first again. */
  reset(): void {
    this.#pause = FIRST;
    this.#since = undefined;
  }

  /** Waits, or throws the error where it will not pass by itself or has lasted too long. */
  async wait(error: unknown, signal?: AbortSignal): Promise<void> {
    this.#since ??= Date.now();
    const left = this.#since + this.#patience - Date.now();
    if (!isPassing(error) || left <= 0) throw error;
    // Random, so that clients which lost the same server do not come back all at once.
    const pause = Math.min(left, this.#pause * (0.5 + Math.random()));
    this.#pause = Math.min(LONGEST, this.#pause * 2);
    await pauseFor(pause, signal);
  }

  /** The server is well and wants to be asked again. */
  async rest(signal?: AbortSignal): Promise<void> {
    this.reset();
    await pauseFor(FIRST, signal);
  }
}

/** Tries what may be tried twice. */
export async function persist<T>(attempt: () => Promise<T>, patience: number, signal?: AbortSignal): Promise<T> {
  const backoff = new Backoff(patience);
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      await backoff.wait(error, signal);
    }
  }
}

async function pauseFor(duration: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(duration, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "details" in error && "metadata" in error;
}

/** A connection that was lost or not made, or a stream that another one of ours has replaced. */
function isPassing(error: unknown): boolean {
  if (!isServiceError(error)) return false;
  if (error.code === status.UNAVAILABLE) return true;
  return error.code === status.INTERNAL && /INVALID_CURSOR\.DISCONNECTED|RST_STREAM/.test(error.details);
}
