import { type ClientReadableStream, type ServiceError, status } from "@grpc/grpc-js";
import type { Address } from "./address.js";
import { isServiceError, persist } from "./backoff.js";
import { type CallOptions, Channel } from "./channel.js";
import { type SparkDetails, SparkError } from "./error.js";
import { describeFailure, describeUnreachable, readErrorClass, readInfo } from "./failure.js";
import { DETAILS, type Header, type Method } from "./messages.js";

/** A request before the link adds who asks. */
export type Asked<Q> = Omit<Q, keyof Header>;

export interface Answer {
  serverId?: string | undefined;
}

export interface LinkOptions extends CallOptions {
  /** Milliseconds to go on trying to reach a server that is away; 0: once. */
  patience?: number;
}

const DETAILS_MS = 10_000;

/** A channel that knows who asks: adds the session to every request, tries again, tells errors in Spark's words. */
export class Link {
  readonly sessionId: string;
  readonly patience: number;
  readonly #address: Address;
  readonly #channel: Channel;
  #serverId: string | undefined;
  #closed = false;

  constructor(address: Address, sessionId: string, patience: number) {
    this.sessionId = sessionId;
    this.patience = patience;
    this.#address = address;
    this.#channel = new Channel(address);
  }

  /** The server's own name for the session; a restarted server has another. */
  get serverId(): string | undefined {
    return this.#serverId;
  }

  async ask<Q, A extends Answer>(method: Method<Q, A>, request: Asked<Q>, options: LinkOptions = {}): Promise<A> {
    return this.#try(options, () => this.#channel.ask(method, this.#sign(request), options));
  }

  /** `requests` is asked for anew by every attempt. */
  async send<Q, A extends Answer>(
    method: Method<Q, A>,
    requests: () => Iterable<Asked<Q>>,
    options: LinkOptions = {},
  ): Promise<A> {
    const sign = (request: Asked<Q>): Q => this.#sign(request);
    function* signed(): Generator<Q> {
      for (const request of requests()) yield sign(request);
    }
    return this.#try(options, () => this.#channel.send(method, signed(), options));
  }

  stream<Q, A>(method: Method<Q, A>, request: Asked<Q>): ClientReadableStream<A> {
    this.#checkOpen();
    return this.#channel.stream(method, this.#sign(request));
  }

  /** Any error as one of ours; what is not gRPC's stays as it is. */
  async explain(error: unknown): Promise<unknown> {
    if (!isServiceError(error)) return error;
    if (this.#closed) return new SparkError("closed", "the Spark session was closed", {}, { cause: error });
    if (error.code === status.UNAVAILABLE) return describeUnreachable(error, this.#address);
    return describeFailure(error, await this.#fetchDetails(error), this.#address);
  }

  close(): void {
    this.#closed = true;
    this.#channel.close();
  }

  async #try<A extends Answer>(
    { signal, patience = this.patience }: LinkOptions,
    attempt: () => Promise<A>,
  ): Promise<A> {
    this.#checkOpen();
    try {
      const answer = await persist(attempt, patience, signal);
      this.#serverId ??= answer.serverId;
      return answer;
    } catch (error) {
      throw await this.explain(error);
    }
  }

  #checkOpen(): void {
    if (this.#closed) throw new SparkError("closed", "the Spark session was closed");
  }

  /** The server refuses a request that names another server's session: so a restart is never taken for a fresh start. */
  #sign<Q>(request: Asked<Q>): Q {
    const { userId, userAgent } = this.#address;
    const header: Header = {
      sessionId: this.sessionId,
      userContext: { userId, userName: userId },
      clientType: userAgent,
      observedServerId: this.#serverId,
    };
    return { ...header, ...request } as Q;
  }

  /** Trailers are cut short; the whole message has to be asked for. */
  async #fetchDetails(error: ServiceError): Promise<SparkDetails> {
    const info = readInfo(error);
    const task = { errorClass: readErrorClass(error), sqlState: info.get("sqlState"), text: error.details };
    const errorId = info.get("errorId");
    if (errorId === undefined) return task;
    try {
      const answer = await this.#channel.ask(DETAILS, this.#sign({ errorId }), { within: DETAILS_MS });
      const root = answer.errors?.[answer.rootErrorIdx ?? 0];
      return {
        errorClass: root?.sparkThrowable?.errorClass ?? task.errorClass,
        sqlState: root?.sparkThrowable?.sqlState ?? task.sqlState,
        text: root?.message ?? task.text,
      };
    } catch {
      return task;
    }
  }
}
