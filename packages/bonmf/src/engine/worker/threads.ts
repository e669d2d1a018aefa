import { countCores } from "./port.js";
import { Thread } from "./thread.js";

/** Multiply-adds a second of one thread, roughly. */
const SPEED = 5e8;
/** Seconds of work below which a thread is not worth its start (50 to 110 ms). */
const WORTH = 0.1;
const MOST = 16;
/** Workers wait this long for another fit. */
const IDLE_MS = 10_000;

const idle = new Map<Thread, ReturnType<typeof setTimeout>>();

/**
 * How many threads to use, the caller's included.
 *
 * @param requested the user's choice; undefined leaves it to the work
 * @param work multiply-adds of the whole fit
 * @param blocks how many parts the samples can be cut into
 */
export function threadCount(requested: number | undefined, work: number, blocks: number): number {
  const cores = countCores();
  if (cores === 0) return 1;
  const wanted = requested ?? Math.min(cores, MOST, Math.floor(work / (SPEED * WORTH)));
  return Math.max(1, Math.min(wanted, blocks));
}

/** As many workers as asked for: idle ones at once, new ones when they have started; where there are none, rejections. */
export function startThreads(count: number): Promise<Thread>[] {
  const found: Promise<Thread>[] = [];
  for (const [thread, timer] of idle) {
    if (found.length === count) break;
    clearTimeout(timer);
    idle.delete(thread);
    if (thread.free) found.push(Promise.resolve(thread));
  }
  while (found.length < count) found.push(Thread.start());
  return found;
}

/** As many workers as asked for, or as can be had, all of them started. */
export async function acquireThreads(count: number): Promise<Thread[]> {
  const starts = await Promise.allSettled(startThreads(count));
  return starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
}

/** Keeps a worker for the next fit, for a while; ends one that is still busy. */
export function releaseThread(thread: Thread): void {
  const dismiss = () => {
    idle.delete(thread);
    thread.end("it was not needed any more");
  };
  if (thread.free && idle.size < MOST) {
    const timer = setTimeout(dismiss, IDLE_MS);
    (timer as { unref?(): void }).unref?.();
    idle.set(thread, timer);
  } else dismiss();
}
