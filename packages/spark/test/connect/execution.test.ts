import { setTimeout } from "node:timers/promises";
import { status } from "@grpc/grpc-js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { connect } from "../../src/connect/index.js";
import type { ExecutePlanResponse } from "../../src/connect/messages.js";
import { openProxy } from "./proxy.js";
import { type FakeServer, makeAnswers, openServer, type Script, type Stream } from "./server.js";

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of opened.splice(0).reverse()) await thing.close();
});

async function serve(script: Script): Promise<FakeServer> {
  const server = await openServer(script);
  opened.push(server);
  return server;
}

async function open(port: number, patience = 300_000) {
  const session = await connect(`sc://127.0.0.1:${port}`, { patience });
  opened.push(session);
  return session;
}

/** Sends the answers that stand behind the last one the client has. */
function play(stream: Stream, answers: readonly ExecutePlanResponse[]): void {
  const after = stream.request.lastResponseId;
  const from = after === undefined ? 0 : answers.findIndex(({ responseId }) => responseId === after) + 1;
  for (const answer of answers.slice(from)) stream.write(answer);
}

function fail(stream: Stream, errorClass: string): void {
  stream.emit("error", { code: status.INTERNAL, details: `[${errorClass}] so it is` });
}

const ids = (count: number): object[] => Array.from({ length: count }, (_, id) => ({ id }));

describe("an execution", () => {
  it("asks to be taken up again and releases what was read", async () => {
    const server = await serve({
      ExecutePlan(stream) {
        play(stream, makeAnswers(3));
        stream.end();
      },
    });
    const session = await open(server.port);
    expect(await session.collect("select id")).toEqual(ids(3));
    await session.close();
    const [asked] = server.requests("ExecutePlan");
    expect(asked).toMatchObject({
      plan: { root: { sql: { query: "select id" } } },
      requestOptions: [{ reattachOptions: { reattachable: true } }],
      observedServerId: "first",
    });
    const released = server.requests("ReleaseExecute");
    expect(released.every(({ operationId }) => operationId === asked.operationId)).toBe(true);
    expect(released[0]).toMatchObject({ releaseUntil: { responseId: "r0" } });
    expect(released.at(-1)).toMatchObject({ releaseAll: {} });
  });

  it("goes on behind the last answer when the connection is cut, and brings every row once", async () => {
    const answers = makeAnswers(40);
    let cuts = 0;
    const server = await serve({
      ExecutePlan: (stream) => play(stream, answers.slice(0, 10)),
      ReattachExecute(stream) {
        // The first two attempts are cut as well.
        if (++cuts <= 2) play(stream, answers.slice(0, 10 + 5 * cuts));
        else play(stream, answers);
      },
    });
    const proxy = await openProxy("127.0.0.1", server.port);
    opened.push(proxy);
    const session = await open(proxy.port);
    const read: object[] = [];
    for await (const batch of session.sql("select id")) {
      read.push({ id: batch.getChildAt(0)?.get(0) });
      if (read.length === 10 || read.length === 15 || read.length === 20) proxy.cut();
    }
    expect(read).toEqual(ids(40));
    expect(proxy.connections).toBeGreaterThan(3);
    const again = server.requests("ReattachExecute").map(({ lastResponseId }) => lastResponseId);
    expect(again).toEqual(["r9", "r14", "r19"]);
  });

  it("goes on when the server ends the stream in good order before the result", async () => {
    const answers = makeAnswers(4);
    const server = await serve({
      ExecutePlan(stream) {
        play(stream, answers.slice(0, 2));
        stream.end();
      },
      ReattachExecute(stream) {
        const seen = stream.request.lastResponseId === "r1" ? 3 : 5;
        play(stream, answers.slice(0, seen));
        stream.end();
      },
    });
    const session = await open(server.port);
    expect(await session.collect("select id")).toEqual(ids(4));
    expect(server.requests("ReattachExecute").map(({ lastResponseId }) => lastResponseId)).toEqual(["r1", "r2"]);
  });

  it("sends the plan again where it never arrived, and not where answers have come", async () => {
    const answers = makeAnswers(2);
    let sent = 0;
    const server = await serve({
      ExecutePlan(stream) {
        if (++sent === 1) stream.emit("error", { code: status.UNAVAILABLE, details: "try later" });
        else if (sent === 2) play(stream, answers);
        else {
          play(stream, answers.slice(0, 1));
          stream.end();
        }
      },
      ReattachExecute: (stream) => fail(stream, "INVALID_HANDLE.OPERATION_NOT_FOUND"),
    });
    const session = await open(server.port);
    expect(await session.collect("select id")).toEqual(ids(2));
    const [first, second] = server.requests("ExecutePlan");
    expect(second.operationId).toBe(first.operationId);
    await expect(session.collect("select id")).rejects.toMatchObject({ code: "session-gone" });
    expect(sent).toBe(3);
  });

  it("does not go on for ever with a server that contradicts itself", async () => {
    const server = await serve({
      ExecutePlan: (stream) => fail(stream, "INVALID_HANDLE.OPERATION_ALREADY_EXISTS"),
      ReattachExecute: (stream) => fail(stream, "INVALID_HANDLE.OPERATION_NOT_FOUND"),
    });
    const session = await open(server.port);
    await expect(session.collect("select id")).rejects.toMatchObject({ code: "session-gone" });
  });

  it("says that the session is gone after a restart", async () => {
    const server = await serve({ ExecutePlan: (stream) => fail(stream, "INVALID_HANDLE.SESSION_CHANGED") });
    const session = await open(server.port);
    await expect(session.run("insert into t values (1)")).rejects.toMatchObject({
      code: "session-gone",
      errorClass: "INVALID_HANDLE.SESSION_CHANGED",
    });
    expect(server.requests("ExecutePlan")).toHaveLength(1);
  });

  it("gives up when patience has run out", async () => {
    const server = await serve({});
    const proxy = await openProxy("127.0.0.1", server.port);
    opened.push(proxy);
    const session = await open(proxy.port, 300);
    proxy.close();
    await expect(session.collect("select id")).rejects.toMatchObject({ code: "unreachable" });
    await expect(session.version()).rejects.toMatchObject({ code: "unreachable" });
  });

  it("notices a batch that is missing", async () => {
    const answers = makeAnswers(4);
    const server = await serve({
      ExecutePlan: (stream) => play(stream, [...answers.slice(0, 1), ...answers.slice(2)]),
    });
    const session = await open(server.port);
    await expect(session.collect("select id")).rejects.toMatchObject({
      code: "protocol",
      message: "the server sent row 2 where row 1 was due",
    });
  });

  it("interrupts the operation when the signal aborts", async () => {
    let late = 1;
    const server = await serve({
      ExecutePlan: (stream) => play(stream, makeAnswers(3).slice(0, 2)),
      // As if the plan arrived after the first attempt to interrupt it.
      answers: { Interrupt: ({ operationId }) => (late-- > 0 ? {} : { interruptedIds: [operationId] }) },
    });
    const session = await open(server.port);
    const reason = new Error("enough");
    const controller = new AbortController();
    const read: number[] = [];
    const work = async (): Promise<void> => {
      for await (const batch of session.sql("select id", { signal: controller.signal })) {
        read.push(batch.numRows);
        if (read.length === 2) void setTimeout(20).then(() => controller.abort(reason));
      }
    };
    await expect(work()).rejects.toBe(reason);
    const [{ operationId }] = server.requests("ExecutePlan");
    const interrupt = expect.objectContaining({ operationId, interruptType: 3 });
    await vi.waitFor(() => expect(server.requests("Interrupt")).toEqual([interrupt, interrupt]), 300_000);
    await expect(session.collect("select id", { signal: controller.signal })).rejects.toBe(reason);
    expect(server.requests("ExecutePlan")).toHaveLength(1);
  });

  it("asks for nothing before the first batch is wanted, and reads no further than wanted", async () => {
    let written = 0;
    const server = await serve({
      ExecutePlan(stream) {
        const [answer] = makeAnswers(1);
        const data = new Uint8Array(answer.arrowBatch?.data ?? []);
        // Metadata no one reads makes the answers large.
        const padded = { ...answer, operationId: "x".repeat(1 << 20), arrowBatch: { rowCount: 1n, data } };
        const pump = (): void => {
          while (written < 500 && !stream.cancelled) {
            written++;
            if (!stream.write(padded)) return void stream.once("drain", pump);
          }
        };
        pump();
      },
    });
    const session = await open(server.port);
    const batches = session.sql("select id");
    expect(server.requests("ExecutePlan")).toHaveLength(0);
    for await (const _ of batches) {
      for (let before = 0; before !== written; await setTimeout(500)) before = written;
      break;
    }
    expect(written).toBeLessThan(100);
    await session.close();
    expect(server.requests("ReleaseExecute").at(-1)).toMatchObject({ releaseAll: {} });
  });
});
