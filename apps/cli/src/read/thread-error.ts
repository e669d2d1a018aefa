import { BonmfError, DataError, FormatError, MemoryError, OptionError } from "bonmf";
import { UserError } from "../errors.js";

/** An error on its way between threads or processes: copies lose their class. */
export interface SentError {
  readonly type: string;
  readonly message: string;
  /** Its own properties: a hint, a code, a place. */
  readonly fields: object;
}

/** Classes before those that they extend; others arrive as the first of these that they are. */
const TYPES = [UserError, DataError, FormatError, MemoryError, OptionError, BonmfError, RangeError];

export function sendError(error: unknown): SentError {
  if (!(error instanceof Error)) return { type: "Error", message: String(error), fields: {} };
  return {
    type: TYPES.find((type) => error instanceof type)?.name ?? "Error",
    message: error.message,
    fields: { ...error },
  };
}

export function reviveError({ type, message, fields }: SentError): Error {
  const known = TYPES.find(({ name }) => name === type);
  // Not by its constructor, which may add to the message.
  const error: Error = known ? Object.create(known.prototype) : new Error(message);
  Error.captureStackTrace(error, reviveError);
  return Object.assign(error, fields, { message });
}
