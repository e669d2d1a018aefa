import { DataError, OptionError } from "bonmf";
import { SparkError } from "bonmf-spark";
import { UserError } from "../errors.js";

const HINTS: Partial<Record<SparkError["code"], string>> = {
  address: "write it as sc://host:15002, with /;token=…;use_ssl=true if the server needs it",
  unreachable: "sbin/start-connect-server.sh of Spark starts one, on port 15002",
  unauthenticated: "put the token into the address: sc://host:15002/;token=…",
  tls: "add /;use_ssl=true to the address, or omit it",
  missing: "SHOW TABLES lists the tables; paths must be readable by the cluster",
  "session-gone": "the server was restarted or has dropped the session",
};

/** Turns an error of a cluster into a message with a hint. */
export function explainSpark(error: unknown, name: string): unknown {
  if (error instanceof SparkError) {
    const place = error.code === "missing" || error.code === "analysis" ? `${name}: ` : "";
    return new UserError(`${place}${clip(error.message)}`, HINTS[error.code], { cause: error });
  }
  if (error instanceof DataError) return new UserError(`${name}: ${error.message}`, undefined, { cause: error });
  if (error instanceof OptionError && error.option === "id") {
    return new UserError(error.message.replace("(id)", "with --id"), undefined, { cause: error });
  }
  return error;
}

function clip(message: string): string {
  return message.length > 600 ? `${message.slice(0, 600)}…` : message;
}
