import { UserError } from "../../errors.js";
import type { Duck } from "./duck.js";

/**
 * Returns the query in brackets, as a table to read from. Refuses a text that does anything but read: it must parse by itself,
 * so that it cannot close the brackets, and within them, where only queries can stand. It is not even prepared: DuckDB
 * makes the folder of an `export` while preparing it.
 */
export async function bracketQuery(duck: Duck, sql: string): Promise<string> {
  const refuse = (what: string) =>
    new UserError(`--sql runs one query that reads, but ${what}`, "begin it with select, from, with, values or pivot");
  // DuckDB has no answer for a text without statements.
  const plain = sql.replace(/--.*$|\/\*[\s\S]*?\*\//gm, "").trim();
  if (/^;*$/.test(plain)) throw refuse("there is none");
  await duck.parse(sql);
  // A line of its own, as the query may end in a comment.
  const query = `(${sql.trim().replace(/;\s*$/, "")}\n)`;
  await duck.parse(`select * from ${query}`).catch((error: unknown) => {
    if (!(error instanceof Error && error.message.includes("Parser Error"))) throw error;
    throw refuse(`this is ${JSON.stringify(plain.slice(0, 60))}`);
  });
  return query;
}
