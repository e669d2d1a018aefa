import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { OptionError } from "bonmf";
import { type QueryOptions, type Session, SparkError } from "./connect/index.js";
import { quoteText } from "./input.js";

/** The file that executors run; this path holds for the sources and for the built package. */
const FILE = new URL("../dist/executor.mjs", import.meta.url);

/** Queries whose tasks run the script. */
export interface Script {
  /** A query for the output of a job over the columns of `rows`: STRING columns named `as`. */
  transform(columns: string, job: string, as: readonly string[], rows: string): string;
  /** The same for a shell command, without starting Node. */
  pipe(columns: string, command: string, as: readonly string[], rows: string): string;
}

/** Spark's own default depends on whether it was built with Hive. */
const FORMAT = "ROW FORMAT DELIMITED FIELDS TERMINATED BY '\\t'";

/**
 * Sends the script to the executors and tries it there. Spark puts a session's files into a folder inside the working
 * folder of the executor, where a task's script starts.
 *
 * @param node the command that starts Node on an executor
 * @returns null where executors cannot run it, with the reason for `onNote`
 */
export async function sendScript(
  session: Session,
  node: string,
  options: QueryOptions,
  onNote: (note: string) => void,
): Promise<Script | null> {
  const bytes = await readFile(FILE).catch(() => {
    throw new OptionError("executor", FILE.pathname, "the executors' script is missing: build the package first");
  });
  const name = `bonmf-${createHash("sha256").update(bytes).digest("hex").slice(0, 12)}.mjs`;
  // Several sessions may have sent it to one executor; any copy will do.
  const commandOf = (job: string) =>
    `for f in ./*/${name} ./${name}; do [ -f "$f" ] && exec ${node} "$f" ${job}; done; echo "no ${name}" >&2; exit 1`;
  const pipe: Script["pipe"] = (columns, command, as, rows) =>
    `SELECT TRANSFORM(${columns}) ${FORMAT} USING ${quoteText(command)}
     AS (${as.map((column) => `${column} STRING`).join(", ")}) ${FORMAT} FROM (${rows})`;
  const transform: Script["transform"] = (columns, job, as, rows) => pipe(columns, commandOf(job), as, rows);
  try {
    await session.addFile(name, bytes, options);
    await session.collect(transform("id", "probe", ["version"], "SELECT id FROM range(1)"), options);
    return { transform, pipe };
  } catch (error) {
    if (!(error instanceof SparkError) || error.code !== "spark") throw error;
    onNote(`the executors cannot run Node (${reasonOf(error)}): sweeps run in Spark SQL, which is slower`);
    return null;
  }
}

function reasonOf({ text, message }: SparkError): string {
  return /Error: (.*)/.exec(text)?.[1] ?? message;
}
