import { DataError } from "bonmf";
import { UserError } from "../errors.js";

/** Whether limits on words leave none. */
export function isLimit(error: unknown): error is DataError & { readonly code: "empty" } {
  return error instanceof DataError && error.code === "empty" && /minDocuments|stopWords/.test(error.message);
}

/** Remedies are options. */
export function explainLimits(error: DataError, source: string): UserError {
  const message = error.message
    .replace("minDocuments", "--min-docs")
    .replace("maxShare", "--max-share")
    .replace("choose other stopWords", "--stop-words none counts them");
  return new UserError(`${source}: ${message}`, undefined, { cause: error });
}
