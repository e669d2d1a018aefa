import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientReadableStream } from "@grpc/grpc-js";
import { Backoff, isServiceError } from "./backoff.js";
import { SparkError } from "./error.js";
import { readErrorClass } from "./failure.js";
import type { Answer, Asked, Link } from "./link.js";
import {
  EXECUTE,
  type ExecutePlanResponse,
  INTERRUPT,
  INTERRUPT_OPERATION,
  type Method,
  type Plan,
  REATTACH,
  RELEASE,
} from "./messages.js";

const FAREWELL_MS = 10_000;
const MOST_RESTARTS = 5;
const LATER_MS = [300, 1_000, 3_000];

/**
 * Runs a plan and yields what the server says about it, every answer once. The server keeps answers until they are
 * released, so a stream that drops, or that the server ends early as it does every few minutes, is taken up again
 * behind the last answer. Leaving the loop, or aborting, ends the work on the server too.
 */
export async function* execute(
  link: Link,
  plan: Plan,
  signal: AbortSignal | undefined,
): AsyncGenerator<ExecutePlanResponse, void, void> {
  const operation = new Operation(link, plan);
  const backoff = new Backoff(link.patience);
  signal?.throwIfAborted();
  let interrupted: Promise<void> | undefined;
  const abort = (): void => {
    operation.cancel();
    interrupted = operation.interrupt();
  };
  signal?.addEventListener("abort", abort, { once: true });
  try {
    for (;;) {
      try {
        for await (const response of operation.open()) {
          backoff.reset();
          operation.last = response.responseId;
          if (response.resultComplete !== undefined) return;
          yield response;
          signal?.throwIfAborted();
          operation.releaseRead();
        }
        await backoff.rest(signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (!operation.startAgain(error)) await backoff.wait(error, signal);
      }
    }
  } catch (error) {
    throw await link.explain(error);
  } finally {
    signal?.removeEventListener("abort", abort);
    await interrupted;
    operation.end();
  }
}

class Operation {
  readonly #id = randomUUID();
  readonly #link: Link;
  readonly #plan: Plan;
  /** The last answer that was read. */
  last: string | undefined;
  #call: ClientReadableStream<ExecutePlanResponse> | undefined;
  #started = false;
  #restarts = 0;
  #releasing = false;

  constructor(link: Link, plan: Plan) {
    this.#link = link;
    this.#plan = plan;
  }

  open(): ClientReadableStream<ExecutePlanResponse> {
    const operationId = this.#id;
    this.#call = this.#started
      ? this.#link.stream(REATTACH, { operationId, lastResponseId: this.last })
      : this.#link.stream(EXECUTE, {
          operationId,
          plan: this.#plan,
          requestOptions: [{ reattachOptions: { reattachable: true } }],
        });
    this.#started = true;
    // A cancelled call reports that once more, when nobody iterates over it.
    this.#call.on("error", () => {});
    return this.#call;
  }

  /** Whether the plan never reached the server, and is sent again; or did so twice, and is taken up again. */
  startAgain(error: unknown): boolean {
    if (!isServiceError(error) || this.last !== undefined || this.#restarts === MOST_RESTARTS) return false;
    const errorClass = readErrorClass(error);
    const unknown = errorClass === "INVALID_HANDLE.OPERATION_NOT_FOUND";
    if (!unknown && errorClass !== "INVALID_HANDLE.OPERATION_ALREADY_EXISTS") return false;
    this.#restarts++;
    this.#started = !unknown;
    return true;
  }

  cancel(): void {
    this.#call?.cancel();
  }

  /** Lets the server forget what was read. One at a time: each covers all before it. */
  releaseRead(): void {
    if (this.#releasing || this.last === undefined) return;
    this.#releasing = true;
    void this.#tell(RELEASE, { operationId: this.#id, releaseUntil: { responseId: this.last } }).then(() => {
      this.#releasing = false;
    });
  }

  /** The plan may still be on its way, with nothing there to interrupt: then this goes on in the background. */
  async interrupt(): Promise<void> {
    if (!(await this.#interruptOnce())) void this.#interruptLater();
  }

  end(): void {
    this.cancel();
    void this.#tell(RELEASE, { operationId: this.#id, releaseAll: {} });
  }

  async #interruptLater(): Promise<void> {
    for (const pause of LATER_MS) {
      await sleep(pause, undefined, { ref: false });
      if (await this.#interruptOnce()) return;
    }
  }

  async #interruptOnce(): Promise<boolean> {
    const answer = await this.#tell(INTERRUPT, { operationId: this.#id, interruptType: INTERRUPT_OPERATION });
    return answer?.interruptedIds?.includes(this.#id) === true;
  }

  /** What is kind to say but need not be heard: the server drops what nobody asks for, in time. */
  async #tell<Q, A extends Answer>(method: Method<Q, A>, request: Asked<Q>): Promise<A | undefined> {
    return this.#link.ask(method, request, { patience: 0, within: FAREWELL_MS }).catch(() => undefined);
  }
}

/** Runs a plan for what it does. */
export async function drain(link: Link, plan: Plan, signal: AbortSignal | undefined): Promise<void> {
  for await (const _ of execute(link, plan, signal));
}

/** The Arrow streams in the answers to a plan, each a schema and one batch; none is missing or comes twice. */
export async function* executeBatches(
  link: Link,
  plan: Plan,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ data: Uint8Array; rows: number }, void, void> {
  let rows = 0n;
  for await (const { arrowBatch } of execute(link, plan, signal)) {
    if (arrowBatch?.data === undefined) continue;
    const { data, rowCount = 0n, startOffset } = arrowBatch;
    if (startOffset !== undefined && startOffset !== rows)
      throw new SparkError("protocol", `the server sent row ${startOffset} where row ${rows} was due`);
    rows += rowCount;
    yield { data, rows: Number(rowCount) };
  }
}
