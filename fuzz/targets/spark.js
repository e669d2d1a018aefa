// What a Spark Connect server may send: messages, schemas, failures, rows.
import { tableFromArrays, tableToIPC } from "apache-arrow";
import { decodeBatches } from "../../packages/spark/src/connect/arrow.ts";
import { readColumns } from "../../packages/spark/src/connect/columns.ts";
import { readInfo } from "../../packages/spark/src/connect/failure.ts";
import { ANALYZE, DETAILS, ErrorInfo, EXECUTE, Status } from "../../packages/spark/src/connect/messages.ts";
import { attempt, expectSame } from "../oracle.js";

export function seeds() {
  const data = Uint8Array.of(1, 2);
  const decimal = { decimal: { precision: 10, scale: 2 } };
  const fields = [
    { name: "a", dataType: { array: { elementType: decimal } }, nullable: true },
    { name: "m", dataType: { map: { keyType: { string: {} }, valueType: { varchar: { length: 3 } } } } },
  ];
  const value = ErrorInfo.encode({ reason: "r", metadata: [{ key: "errorClass", value: "TABLE_NOT_FOUND" }] });
  return [
    tableToIPC(tableFromArrays({ a: Int32Array.of(1, 2), b: ["x", "y"] }), "stream"),
    EXECUTE.response.encode({ sessionId: "s", arrowBatch: { rowCount: 2n, data, startOffset: 0n }, responseId: "r" }),
    ANALYZE.response.encode({ sessionId: "s", schema: { schema: { struct: { fields } } }, serverId: "x" }),
    DETAILS.response.encode({ rootErrorIdx: 0, errors: [{ message: "m", sparkThrowable: { errorClass: "E" } }] }),
    Status.encode({ message: "m", details: [{ typeUrl: "/google.rpc.ErrorInfo", value }] }),
  ];
}

export function read(bytes) {
  for (const { response } of [EXECUTE, ANALYZE, DETAILS]) {
    const answer = attempt(() => response.decode(bytes));
    if (answer === undefined) continue;
    expectSame(response.decode(response.encode(answer)), answer, "decoded after encoding");
    if (answer.schema?.schema) attempt(() => readColumns(answer.schema.schema));
  }
  attempt(() => [...decodeBatches(bytes)]);
  attempt(() => readInfo({ metadata: { get: () => [bytes] } }));
}
