import { connect as openTls } from "node:tls";
import { type ServiceError, status } from "@grpc/grpc-js";
import { type Address, nameTarget } from "./address.js";
import { type SparkCode, type SparkDetails, SparkError } from "./error.js";
import { ErrorInfo, Status } from "./messages.js";

const PROBE_MS = 3_000;

/** What Spark put into the trailers of a failed call. */
export function readInfo(error: ServiceError): Map<string, string> {
  const [packed] = error.metadata.get("grpc-status-details-bin");
  const info = new Map<string, string>();
  if (!(packed instanceof Uint8Array)) return info;
  try {
    for (const { typeUrl, value } of Status.decode(packed).details ?? []) {
      if (!typeUrl?.endsWith("/google.rpc.ErrorInfo") || value === undefined) continue;
      for (const entry of ErrorInfo.decode(value).metadata ?? []) info.set(entry.key ?? "", entry.value ?? "");
    }
  } catch {
    // Damaged trailers say nothing more about the failure, which is what the user is to hear of.
  }
  return info;
}

/** The error class that a failed call names, in its details or at the head of its message. */
export function readErrorClass(error: ServiceError): string | undefined {
  return readInfo(error).get("errorClass") ?? /\[([A-Z][A-Z0-9_]*(?:\.[A-Z0-9_]+)*)\]/.exec(error.details)?.[1];
}

/** Spark's own complaint as one of ours. */
export function describeFailure(error: ServiceError, details: SparkDetails, address: Address): SparkError {
  const target = nameTarget(address);
  const { errorClass, sqlState } = details;
  const text = (details.text ?? error.details) || "the call failed without a message";
  const line = nameFirstLine(text);
  if (error.code === status.UNAUTHENTICATED || error.code === status.PERMISSION_DENIED)
    return make("unauthenticated", `${target} ${address.token ? "refuses the" : "wants a"} token: ${line}`);
  if (error.code === status.UNIMPLEMENTED)
    return make("protocol", `${target} is no Spark Connect server, or one older than Spark 4: ${line}`);
  if (error.code === status.DEADLINE_EXCEEDED) return make("unreachable", `${target} does not answer`);
  if (errorClass?.startsWith("INVALID_HANDLE."))
    return make("session-gone", `${target} no longer knows this session, it was restarted or has dropped it: ${line}`);
  if (error.code === status.RESOURCE_EXHAUSTED)
    return make("spark", `a message is too large: ${line}; ${nameLimit(line)} raises the limit`);
  return make(classify(errorClass, sqlState), line);

  function make(code: SparkCode, message: string): SparkError {
    return new SparkError(code, message, { errorClass, sqlState, text }, { cause: error });
  }
}

/** Why a connection could not be made, or was lost for good. */
export async function describeUnreachable(error: ServiceError, address: Address): Promise<SparkError> {
  const target = nameTarget(address);
  const reason = error.details.replace(/^No connection.*? error: (Error: )?|\. Resolution note:.*$/gs, "");
  const make = (code: SparkCode, message: string): SparkError =>
    new SparkError(code, message, { text: error.details }, { cause: error });
  if (address.secure && /wrong version number|packet length|EPROTO|record layer|before secure/i.test(reason))
    return make("tls", `${target} does not speak TLS${blameTls(address)}`);
  if (address.secure && /certificate|altnames|CERT_|self[- ]signed|issuer/i.test(reason))
    return make(
      "tls",
      `the certificate of ${target} is not trusted (${reason}): add its issuer by NODE_EXTRA_CA_CERTS`,
    );
  if (/ECONNREFUSED/.test(reason))
    return make("unreachable", `no answer from ${target}: is a Spark Connect server running there?`);
  if (/Name resolution failed|ENOTFOUND|EAI_AGAIN/.test(reason))
    return make("unreachable", `${target} cannot be found: there is no host ${address.host}`);
  if (!address.secure && (await speaksTls(address)))
    return make("tls", `${target} speaks TLS: add use_ssl=true to the address`);
  return make("unreachable", `${target} cannot be reached: ${nameFirstLine(reason)}`);
}

function blameTls({ token }: Address): string {
  return token === undefined ? ": leave out use_ssl=true" : ", and a token is sent by TLS alone, except on loopback";
}

/** States of SQL of the classes 42 and 0A are mistakes in the query. */
function classify(errorClass: string | undefined, sqlState: string | undefined): SparkCode {
  if (/^(TABLE|VIEW|SCHEMA|CATALOG|PATH)\w*_NOT_FOUND$/.test(errorClass ?? "")) return "missing";
  return /^(42|0A)/.test(sqlState ?? "") ? "analysis" : "spark";
}

function nameLimit(line: string): string {
  return line.startsWith("Received message larger")
    ? "grpc_max_message_size in the address"
    : "spark.connect.grpc.maxInboundMessageSize of the server";
}

function nameFirstLine(text: string): string {
  return text.trim().split(/\r?\n/, 1)[0];
}

function speaksTls({ host, port }: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const bare = host.replace(/^\[|\]$/g, "");
    const socket = openTls({ host: bare, port, rejectUnauthorized: false, ALPNProtocols: ["h2"] });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PROBE_MS, () => end(false));
    socket.once("secureConnect", () => end(true)).once("error", () => end(false));
  });
}
