import { userInfo } from "node:os";
import { SparkError } from "./error.js";

/** A connection string, read. */
export interface Address {
  host: string;
  port: number;
  /** Speak TLS. */
  secure: boolean;
  token: string | undefined;
  userId: string;
  userAgent: string;
  sessionId: string | undefined;
  /** The longest answer to accept, in bytes. */
  largest: number;
  /** Sent with every request. */
  headers: Readonly<Record<string, string>>;
}

const FORM = "sc://host:port/;name=value;…";
const KNOWN = ["token", "use_ssl", "user_id", "user_agent", "session_id", "grpc_max_message_size"];
const PORT = 15002;
const LARGEST = 128 << 20;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Reads a connection string as Spark documents it. A token switches TLS on, except on loopback; without one in the
 * string, SPARK_CONNECT_AUTHENTICATE_TOKEN is used. ViewNames that begin with `x-` become headers.
 */
export function parseAddress(url: string): Address {
  const [, host, port, rest] = /^sc:\/\/(\[[^\]]*\]|[^/:;?#@\s]+)(?::([^/;]*))?(?:\/(.*))?$/.exec(url) ?? [];
  if (host === undefined) throw refuse(`${quoteHead(url)} is not of the form ${FORM}`);
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65536))
    throw refuse(`the port ${JSON.stringify(port)} is not a number of 1 … 65535`);
  const { headers, values } = readParameters(rest ?? "");
  const token = values.get("token") ?? (process.env.SPARK_CONNECT_AUTHENTICATE_TOKEN || undefined);
  return {
    host,
    port: Number(port ?? PORT),
    secure: isSecure(host, token, values.get("use_ssl")),
    token,
    userId: values.get("user_id") ?? nameUser(),
    userAgent: values.get("user_agent") ?? "bonmf",
    sessionId: readSessionId(values.get("session_id")),
    largest: readLargest(values.get("grpc_max_message_size")),
    headers,
  };
}

/** Whether an address is on this machine. */
export function isLoopback({ host }: Pick<Address, "host">): boolean {
  return LOOPBACK.test(host);
}

/** "host:port", for people and for gRPC. */
export function nameTarget({ host, port }: Pick<Address, "host" | "port">): string {
  return `${host}:${port}`;
}

function readParameters(rest: string): { headers: Record<string, string>; values: Map<string, string> } {
  if (rest !== "" && !rest.startsWith(";"))
    throw refuse(`a path after the port is not possible, parameters follow "/;": the form is ${FORM}`);
  const headers: Record<string, string> = Object.create(null);
  const values = new Map<string, string>();
  for (const part of rest.split(";").filter((part) => part !== "")) {
    const at = part.indexOf("=");
    const name = at < 0 ? part : part.slice(0, at);
    if (at < 1 || at === part.length - 1) throw refuse(`the parameter ${JSON.stringify(name)} has no value`);
    if (values.has(name)) throw refuse(`the parameter "${name}" stands there twice`);
    const value = decodeValue(name, part.slice(at + 1));
    if (name.toLowerCase().startsWith("x-")) headers[name.toLowerCase()] = value;
    else if (KNOWN.includes(name)) values.set(name, value);
    else throw refuse(`${JSON.stringify(name)} is not a parameter: there are ${KNOWN.join(", ")}, and headers x-…`);
  }
  return { headers, values };
}

function decodeValue(name: string, value: string): string {
  let plain: string;
  try {
    plain = decodeURIComponent(value);
  } catch {
    throw refuse(`the value of "${name}" has a % that is no escape: write % as %25`);
  }
  if (!/^[\x20-\x7e]*$/.test(plain) && name !== "user_id" && name !== "user_agent")
    throw refuse(`the value of "${name}" has characters that a header cannot carry`);
  return plain;
}

function isSecure(host: string, token: string | undefined, useSsl: string | undefined): boolean {
  if (useSsl !== undefined && !/^(true|false)$/i.test(useSsl))
    throw refuse(`use_ssl is ${JSON.stringify(useSsl)}: write true or false`);
  if (useSsl !== undefined && /^true$/i.test(useSsl)) return true;
  if (token === undefined || isLoopback({ host })) return false;
  if (useSsl !== undefined) throw refuse(`a token is not sent to ${host} without TLS: leave out use_ssl=false`);
  return true;
}

function readSessionId(id: string | undefined): string | undefined {
  if (id !== undefined && !UUID.test(id)) throw refuse(`session_id is ${JSON.stringify(id)}, which is not a UUID`);
  return id;
}

function readLargest(size: string | undefined): number {
  if (size === undefined) return LARGEST;
  if (!/^[1-9]\d{0,9}$/.test(size) || Number(size) > 0x7fffffff)
    throw refuse(`grpc_max_message_size is ${JSON.stringify(size)}, which is not a number of bytes`);
  return Number(size);
}

/** Who runs this, as Spark's own clients tell the server; a container may have no name for it. */
function nameUser(): string {
  try {
    return process.env.SPARK_USER || userInfo().username;
  } catch {
    return "";
  }
}

/** What stands before any parameter: a token may follow. */
function quoteHead(url: string): string {
  return JSON.stringify(url.split(";")[0]);
}

function refuse(reason: string): SparkError {
  return new SparkError("address", `the address of Spark cannot be read: ${reason}`);
}
