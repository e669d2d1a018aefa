import { type ClientReadableStream, credentials, Client as Grpc, Metadata } from "@grpc/grpc-js";
import { type Address, isLoopback, nameTarget } from "./address.js";
import type { Method } from "./messages.js";

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Milliseconds to wait for the answer. */
  within?: number;
}

/** Calls by gRPC. Errors are gRPC's own; what was aborted rejects with the signal's reason. */
export class Channel {
  readonly #grpc: Grpc;
  readonly #metadata = new Metadata();

  constructor(address: Address) {
    this.#grpc = new Grpc(
      nameTarget(address),
      address.secure ? credentials.createSsl() : credentials.createInsecure(),
      {
        "grpc.max_receive_message_length": address.largest,
        "grpc.max_send_message_length": -1,
        "grpc.primary_user_agent": address.userAgent,
        "grpc.enable_http_proxy": isLoopback(address) ? 0 : 1,
        // By default a server waits for word after every 64 kB of an answer.
        "grpc-node.flow_control_window": 4 << 20,
        // A server that comes back shall be found soon.
        "grpc.max_reconnect_backoff_ms": 5_000,
        // A connection may die without a word; servers dislike to be asked more often than every five minutes.
        "grpc.keepalive_time_ms": 330_000,
        "grpc.keepalive_timeout_ms": 20_000,
      },
    );
    for (const [name, value] of Object.entries(address.headers)) this.#metadata.set(name, value);
    if (address.token !== undefined) this.#metadata.set("authorization", `Bearer ${address.token}`);
  }

  ask<Q, A>(method: Method<Q, A>, request: Q, options: CallOptions = {}): Promise<A> {
    return this.#settle(options.signal, (done) =>
      this.#grpc.makeUnaryRequest(
        method.path,
        (value: Q) => Buffer.from(method.request.encode(value)),
        (answer) => method.response.decode(answer),
        request,
        this.#metadata,
        limit(options),
        done,
      ),
    );
  }

  /** Sends requests as fast as the server takes them. */
  send<Q, A>(method: Method<Q, A>, requests: Iterable<Q>, options: CallOptions = {}): Promise<A> {
    return this.#settle(options.signal, (done) => {
      const call = this.#grpc.makeClientStreamRequest<Q, A>(
        method.path,
        (value: Q) => Buffer.from(method.request.encode(value)),
        (answer) => method.response.decode(answer),
        this.#metadata,
        limit(options),
        done,
      );
      const rest = requests[Symbol.iterator]();
      const pump = (): void => {
        for (let next = rest.next(); ; next = rest.next()) {
          if (next.done) return void call.end();
          if (!call.write(next.value)) return void call.once("drain", pump);
        }
      };
      pump();
      return call;
    });
  }

  /** Answers are read only as they are asked for. */
  stream<Q, A>(method: Method<Q, A>, request: Q): ClientReadableStream<A> {
    return this.#grpc.makeServerStreamRequest(
      method.path,
      (value: Q) => Buffer.from(method.request.encode(value)),
      (answer) => method.response.decode(answer),
      request,
      this.#metadata,
    );
  }

  close(): void {
    this.#grpc.close();
  }

  async #settle<A>(
    signal: AbortSignal | undefined,
    start: (done: (error: Error | null, answer?: A) => void) => { cancel(): void },
  ): Promise<A> {
    signal?.throwIfAborted();
    let cancel = (): void => {};
    try {
      return await new Promise<A>((resolve, reject) => {
        const call = start((error, answer) => (error === null ? resolve(answer as A) : reject(error)));
        cancel = () => call.cancel();
        signal?.addEventListener("abort", cancel, { once: true });
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }
}

function limit({ within }: CallOptions): { deadline?: number } {
  return within === undefined ? {} : { deadline: Date.now() + within };
}
