import { BonmfError } from "bonmf";

/**
 * What went wrong, for programs:
 * - `address`: the connection string cannot be read
 * - `unreachable`: no answer from there
 * - `unauthenticated`: the server refuses the token, or wants one
 * - `tls`: one side speaks TLS and the other does not, or the certificate is not trusted
 * - `session-gone`: the server was restarted or has dropped the session; temporary views and files are lost
 * - `missing`: a table, view, schema or path is not there
 * - `analysis`: the query is wrong: syntax, columns, types, functions
 * - `closed`: this session was closed by us
 * - `protocol`: an answer that Spark Connect does not allow
 * - `spark`: everything else that Spark says, above all failures while a query runs
 */
export type SparkCode =
  | "address"
  | "unreachable"
  | "unauthenticated"
  | "tls"
  | "session-gone"
  | "missing"
  | "analysis"
  | "closed"
  | "protocol"
  | "spark";

/** What Spark says about an error beside its message. */
export interface SparkDetails {
  /** Spark's name for the error, as `TABLE_OR_VIEW_NOT_FOUND` or `INVALID_HANDLE.SESSION_CHANGED`. */
  errorClass?: string | undefined;
  sqlState?: string | undefined;
  /** The whole message, where `message` holds its first line only. */
  text?: string | undefined;
}

/** Every error of the Spark Connect client. `message` is one line; it never holds the token. */
export class SparkError extends BonmfError {
  declare readonly code: SparkCode;
  readonly errorClass: string | undefined;
  readonly sqlState: string | undefined;
  readonly text: string;

  constructor(code: SparkCode, message: string, details: SparkDetails = {}, options?: ErrorOptions) {
    super(code, message, options);
    this.errorClass = details.errorClass;
    this.sqlState = details.sqlState;
    this.text = details.text ?? message;
  }
}
