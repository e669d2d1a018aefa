// A gRPC server that speaks as much of Spark Connect as a test wants to go wrong: real sockets, no Spark.
import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type StatusObject,
  type sendUnaryData,
} from "@grpc/grpc-js";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import {
  ANALYZE,
  CONFIG,
  DETAILS,
  EXECUTE,
  type ExecutePlanResponse,
  INTERRUPT,
  LEAVE,
  type Method,
  REATTACH,
  RELEASE,
} from "../../src/connect/messages.js";

type Fields = Record<string, unknown>;
export type Stream = ServerWritableStream<Fields, ExecutePlanResponse>;

/** What a call came with. */
export interface Heard {
  name: string;
  request: Fields;
  metadata: Metadata;
}

export interface Script {
  ExecutePlan?(stream: Stream): void;
  ReattachExecute?(stream: Stream): void;
  /** Answers of the calls with one answer, by name; a thrown status is sent as such. */
  answers?: Record<string, (request: Fields, metadata: Metadata) => Fields>;
}

export interface FakeServer {
  port: number;
  heard: Heard[];
  /** The requests of one call, in order. */
  requests(name: string): Fields[];
  close(): void;
}

const UNARY: Method<Fields, Fields>[] = [RELEASE, ANALYZE, CONFIG, INTERRUPT, LEAVE, DETAILS] as never;
const STREAMS: Method<Fields, ExecutePlanResponse>[] = [EXECUTE, REATTACH] as never;
const GREETING = { sparkVersion: { version: "4.0.1" }, serverId: "first" };

export async function openServer(
  script: Script,
  credentials = ServerCredentials.createInsecure(),
): Promise<FakeServer> {
  const heard: Heard[] = [];
  const server = new Server();
  const answers: Required<Script>["answers"] = { AnalyzePlan: () => GREETING, ...script.answers };
  for (const method of UNARY)
    server.register(
      method.path,
      ({ request, metadata }: ServerUnaryCall<Fields, Fields>, reply: sendUnaryData<Fields>) => {
        heard.push({ name: nameOf(method), request, metadata });
        try {
          reply(null, answers[nameOf(method)]?.(request, metadata) ?? {});
        } catch (status) {
          reply(status as Partial<StatusObject>);
        }
      },
      (value) => Buffer.from(method.response.encode(value)),
      (bytes) => method.request.decode(bytes),
      "unary",
    );
  for (const method of STREAMS)
    server.register(
      method.path,
      (stream: Stream) => {
        heard.push({ name: nameOf(method), request: stream.request, metadata: stream.metadata });
        const play = script[nameOf(method) as "ExecutePlan" | "ReattachExecute"];
        if (play === undefined) stream.end();
        else play(stream);
      },
      (value) => Buffer.from(method.response.encode(value ?? {})),
      (bytes) => method.request.decode(bytes),
      "serverStream",
    );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", credentials, (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  return {
    port,
    heard,
    requests: (name) => heard.filter((call) => call.name === name).map(({ request }) => request),
    close: () => server.forceShutdown(),
  };
}

/** Answers with one row each, numbered from 0, and the word that this was all. */
export function makeAnswers(rows: number): ExecutePlanResponse[] {
  const batches = Array.from({ length: rows }, (_, id) => ({
    responseId: `r${id}`,
    arrowBatch: {
      rowCount: 1n,
      startOffset: BigInt(id),
      data: tableToIPC(tableFromArrays({ id: Int32Array.of(id) }), "stream"),
    },
  }));
  return [...batches, { responseId: "done", resultComplete: {} }];
}

function nameOf({ path }: { path: string }): string {
  return path.split("/").at(-1)!;
}
