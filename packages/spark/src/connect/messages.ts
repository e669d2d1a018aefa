// The part of Spark Connect's wire format that this client speaks: names and field numbers are Spark's.
import {
  bool,
  bytes,
  double,
  int32,
  int64,
  type Kind,
  lazy,
  type Message,
  many,
  message,
  type Of,
  one,
  string,
} from "./codec.js";

const Empty = message({});
const UserContext = message({ userId: one(1, string), userName: one(2, string) });
const KeyValue = message({ key: one(1, string), value: one(2, string) });

/** One of its fields is set, and that says which type it is. */
export interface DataType {
  [kind: string]: object | undefined;
  decimal?: { scale?: number | undefined; precision?: number | undefined } | undefined;
  char?: { length?: number | undefined } | undefined;
  varchar?: { length?: number | undefined } | undefined;
  array?: { elementType?: DataType | undefined } | undefined;
  struct?: { fields?: StructField[] | undefined } | undefined;
  map?: { keyType?: DataType | undefined; valueType?: DataType | undefined } | undefined;
  udt?: { jvmClass?: string | undefined; pythonClass?: string | undefined } | undefined;
}

export interface StructField {
  name?: string | undefined;
  dataType?: DataType | undefined;
  nullable?: boolean | undefined;
}

const Nested = lazy((): Kind<DataType> => DataType);
const Length = message({ length: one(1, int32) });

export const DataType: Message<DataType> = message({
  void: one(1, Empty),
  binary: one(2, Empty),
  boolean: one(3, Empty),
  tinyint: one(4, Empty),
  smallint: one(5, Empty),
  int: one(6, Empty),
  bigint: one(7, Empty),
  float: one(8, Empty),
  double: one(9, Empty),
  decimal: one(10, message({ scale: one(1, int32), precision: one(2, int32) })),
  string: one(11, Empty),
  char: one(12, Length),
  varchar: one(13, Length),
  date: one(14, Empty),
  timestamp: one(15, Empty),
  timestamp_ntz: one(16, Empty),
  interval: one(17, Empty),
  "interval year to month": one(18, Empty),
  "interval day to second": one(19, Empty),
  array: one(20, message({ elementType: one(1, Nested) })),
  struct: one(
    21,
    message({ fields: many(1, message({ name: one(1, string), dataType: one(2, Nested), nullable: one(3, bool) })) }),
  ),
  map: one(22, message({ keyType: one(1, Nested), valueType: one(2, Nested) })),
  udt: one(23, message({ jvmClass: one(2, string), pythonClass: one(3, string) })),
  variant: one(25, Empty),
});

export const Literal = message({
  null: one(1, DataType),
  binary: one(2, bytes),
  boolean: one(3, bool),
  integer: one(6, int32),
  long: one(7, int64),
  double: one(11, double),
  string: one(13, string),
});
const Expression = message({ literal: one(1, Literal) });

const Sql = message({
  query: one(1, string),
  namedArguments: many(4, message({ key: one(1, string), value: one(2, Expression) })),
  posArguments: many(5, Expression),
});
export const LocalRelation = message({ data: one(1, bytes), schema: one(2, string) });
/** A result that the server keeps. */
const CachedRemoteRelation = message({ relationId: one(1, string) });

export const Relation = message({
  sql: one(10, Sql),
  localRelation: one(11, LocalRelation),
  cachedLocalRelation: one(36, message({ hash: one(3, string) })),
  cachedRemoteRelation: one(37, CachedRemoteRelation),
});
const Command = message({
  createDataframeView: one(
    3,
    message({ input: one(1, Relation), name: one(2, string), isGlobal: one(3, bool), replace: one(4, bool) }),
  ),
  sqlCommand: one(5, message({ input: one(6, Relation) })),
  checkpointCommand: one(14, message({ relation: one(1, Relation), local: one(2, bool), eager: one(3, bool) })),
});
export const Plan = message({ root: one(1, Relation), command: one(2, Command) });

const ExecutePlanRequest = message({
  sessionId: one(1, string),
  userContext: one(2, UserContext),
  plan: one(3, Plan),
  clientType: one(4, string),
  requestOptions: many(5, message({ reattachOptions: one(1, message({ reattachable: one(1, bool) })) })),
  operationId: one(6, string),
  observedServerId: one(8, string),
});
export const ExecutePlanResponse = message({
  sessionId: one(1, string),
  arrowBatch: one(2, message({ rowCount: one(1, int64), data: one(2, bytes), startOffset: one(3, int64) })),
  sqlCommandResult: one(5, message({ relation: one(1, Relation) })),
  operationId: one(12, string),
  responseId: one(13, string),
  resultComplete: one(14, Empty),
  serverId: one(15, string),
  checkpointCommandResult: one(19, message({ relation: one(1, CachedRemoteRelation) })),
});
const ReattachExecuteRequest = message({
  sessionId: one(1, string),
  userContext: one(2, UserContext),
  operationId: one(3, string),
  clientType: one(4, string),
  lastResponseId: one(5, string),
  observedServerId: one(6, string),
});
const ReleaseExecuteRequest = message({
  sessionId: one(1, string),
  userContext: one(2, UserContext),
  operationId: one(3, string),
  clientType: one(4, string),
  releaseAll: one(5, Empty),
  releaseUntil: one(6, message({ responseId: one(1, string) })),
  observedServerId: one(7, string),
});
const ReleaseExecuteResponse = message({ sessionId: one(1, string), serverId: one(3, string) });

const AnalyzePlanRequest = message({
  sessionId: one(1, string),
  userContext: one(2, UserContext),
  clientType: one(3, string),
  schema: one(4, message({ plan: one(1, Plan) })),
  sparkVersion: one(10, Empty),
  observedServerId: one(17, string),
});
const AnalyzePlanResponse = message({
  sessionId: one(1, string),
  schema: one(2, message({ schema: one(1, DataType) })),
  sparkVersion: one(8, message({ version: one(1, string) })),
  serverId: one(15, string),
});

const ConfigRequest = message({
  sessionId: one(1, string),
  userContext: one(2, UserContext),
  operation: one(
    3,
    message({
      set: one(1, message({ pairs: many(1, KeyValue) })),
      getOption: one(4, message({ keys: many(1, string) })),
    }),
  ),
  clientType: one(4, string),
  observedServerId: one(8, string),
});
const ConfigResponse = message({ sessionId: one(1, string), pairs: many(2, KeyValue), serverId: one(4, string) });

const Chunk = message({ data: one(1, bytes), crc: one(2, int64) });
export const AddArtifactsRequest = message({
  sessionId: one(1, string),
  userContext: one(2, UserContext),
  batch: one(3, message({ artifacts: many(1, message({ name: one(1, string), data: one(2, Chunk) })) })),
  beginChunk: one(
    4,
    message({ name: one(1, string), totalBytes: one(2, int64), numChunks: one(3, int64), initialChunk: one(4, Chunk) }),
  ),
  chunk: one(5, Chunk),
  clientType: one(6, string),
  observedServerId: one(7, string),
});
const AddArtifactsResponse = message({
  artifacts: many(1, message({ name: one(1, string), isCrcSuccessful: one(2, bool) })),
  sessionId: one(2, string),
  serverId: one(3, string),
});

const InterruptRequest = message({
  sessionId: one(1, string),
  userContext: one(2, UserContext),
  clientType: one(3, string),
  interruptType: one(4, int32),
  operationId: one(6, string),
  observedServerId: one(7, string),
});
const InterruptResponse = message({ interruptedIds: many(2, string), serverId: one(3, string) });

const ReleaseSessionRequest = message({
  sessionId: one(1, string),
  userContext: one(2, UserContext),
  clientType: one(3, string),
});
const ReleaseSessionResponse = message({ sessionId: one(1, string), serverId: one(2, string) });

const FetchErrorDetailsRequest = message({
  sessionId: one(1, string),
  userContext: one(2, UserContext),
  errorId: one(3, string),
  clientType: one(4, string),
  observedServerId: one(5, string),
});
const FetchErrorDetailsResponse = message({
  rootErrorIdx: one(1, int32),
  errors: many(
    2,
    message({
      errorTypeHierarchy: many(1, string),
      message: one(2, string),
      causeIdx: one(4, int32),
      sparkThrowable: one(5, message({ errorClass: one(1, string), sqlState: one(4, string) })),
    }),
  ),
  serverId: one(3, string),
});

/** google.rpc.Status as servers put it into the trailers, and the one kind of detail that Spark puts into it. */
export const Status = message({
  message: one(2, string),
  details: many(3, message({ typeUrl: one(1, string), value: one(2, bytes) })),
});
export const ErrorInfo = message({ reason: one(1, string), metadata: many(3, KeyValue) });

export type Plan = Of<typeof Plan>;
export type Relation = Of<typeof Relation>;
export type Literal = Of<typeof Literal>;
export type ExecutePlanResponse = Of<typeof ExecutePlanResponse>;
export type AddArtifactsRequest = Of<typeof AddArtifactsRequest>;

/** What every request says about who asks. */
export interface Header {
  sessionId: string;
  userContext: Of<typeof UserContext>;
  clientType: string;
  observedServerId?: string | undefined;
}

export interface Method<Q, A> {
  path: string;
  request: Message<Q>;
  response: Message<A>;
}

function method<Q, A>(name: string, request: Message<Q>, response: Message<A>): Method<Q, A> {
  return { path: `/spark.connect.SparkConnectService/${name}`, request, response };
}

export const EXECUTE = method("ExecutePlan", ExecutePlanRequest, ExecutePlanResponse);
export const REATTACH = method("ReattachExecute", ReattachExecuteRequest, ExecutePlanResponse);
export const RELEASE = method("ReleaseExecute", ReleaseExecuteRequest, ReleaseExecuteResponse);
export const ANALYZE = method("AnalyzePlan", AnalyzePlanRequest, AnalyzePlanResponse);
export const CONFIG = method("Config", ConfigRequest, ConfigResponse);
export const ADD = method("AddArtifacts", AddArtifactsRequest, AddArtifactsResponse);
export const INTERRUPT = method("Interrupt", InterruptRequest, InterruptResponse);
export const LEAVE = method("ReleaseSession", ReleaseSessionRequest, ReleaseSessionResponse);
export const DETAILS = method("FetchErrorDetails", FetchErrorDetailsRequest, FetchErrorDetailsResponse);

export const INTERRUPT_ALL = 1;
export const INTERRUPT_OPERATION = 3;
