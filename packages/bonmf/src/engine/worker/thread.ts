import { BonmfError } from "../../errors.js";
import { onAbort } from "./abort.js";
import { startWorker, type WorkerPort } from "./port.js";
import { type Answer, type Calls, HELLO, reviveError } from "./wire.js";

/** A worker that has not said a word by then is not one of ours (a page's own worker.js, say). */
const START_MS = 10_000;

type Report = (value: unknown) => void;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  readonly report: Report | null;
}

/** One worker, asked and answering. The process stays alive for it only while an answer is due. */
export class Thread {
  readonly #port: WorkerPort;
  readonly #waiting = new Map<number, Waiting>();
  #asked = HELLO;
  #end: BonmfError | null = null;

  /** Rejects where workers are missing, forbidden or broken. */
  static async start(): Promise<Thread> {
    const thread = new Thread(startWorker());
    const timer = setTimeout(() => thread.end("it did not start in time"), START_MS);
    try {
      await thread.#answerTo(HELLO);
      return thread;
    } finally {
      clearTimeout(timer);
    }
  }

  private constructor(port: WorkerPort) {
    this.#port = port;
    port.listen((message) => this.#hear(message as Answer));
    port.mourn((cause) => this.end(cause));
  }

  /** Ready for the next request, with none under way. */
  get free(): boolean {
    return this.#end === null && this.#waiting.size === 0;
  }

  /** @param transfer buffers that go over to the worker and are lost here */
  async ask<C extends keyof Calls>(
    call: C,
    args: Calls[C]["args"],
    transfer: ArrayBuffer[] = [],
    signal?: AbortSignal,
    report: Report | null = null,
  ): Promise<Calls[C]["value"]> {
    if (this.#end !== null) throw this.#end;
    const id = ++this.#asked;
    this.#port.post({ id, call, args }, transfer);
    const forget = onAbort(signal, () => this.#port.post({ id, call: "abort" }, []));
    try {
      return (await this.#answerTo(id, report)) as Calls[C]["value"];
    } finally {
      forget();
    }
  }

  /** Stops the worker at once; whoever waits for an answer hears why. */
  end(cause: string): void {
    if (this.#end !== null) return;
    this.#end = new BonmfError(
      "worker",
      `a worker thread was lost: ${cause}. Run the fit again; with threads: 1 it needs no workers`,
    );
    this.#port.end();
    for (const { reject } of this.#waiting.values()) reject(this.#end);
    this.#waiting.clear();
  }

  #answerTo(id: number, report: Report | null = null): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, report });
      this.#port.hold(true);
    });
  }

  #hear(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    if ("report" in answer) {
      waiting?.report?.(answer.report);
      return;
    }
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#port.hold(false);
    if ("error" in answer) waiting?.reject(reviveError(answer.error));
    else waiting?.resolve(answer.value);
  }
}
