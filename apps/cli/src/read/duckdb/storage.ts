import { tmpdir } from "node:os";
import { UserError } from "../../errors.js";
import { TEMPORARY_REMEDY } from "../../write/leftovers.js";

/** DuckDB ran out of memory or of disk; undefined for other errors. Neither the file nor the query is wrong. */
export function explainStorage(error: unknown): UserError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  if (/^Out of Memory Error: /.test(message)) {
    return new UserError(
      "reading the samples takes more than the memory allowed",
      "try a larger --memory, fewer columns (--features) or rows (--sql); Parquet files with smaller row groups need less",
      { cause: error },
    );
  }
  const spilled = message.includes(tmpdir());
  if (spilled && /^IO Error: .*(No space left on device|not enough space|Failed to create directory)/s.test(message)) {
    return new UserError(
      `the folder for temporary files, ${tmpdir()}, is full or cannot be written`,
      TEMPORARY_REMEDY,
      {
        cause: error,
      },
    );
  }
  return undefined;
}
