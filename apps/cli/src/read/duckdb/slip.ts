import { PLAIN_NUMBER } from "bonmf-data";
import { quoteWord } from "../../args/quote.js";
import { UserError } from "../../errors.js";
import type { ReadOptions } from "../data.js";
import { type Asker, quoteName, quoteText } from "./duck.js";
import type { Relation } from "./relation.js";
import { describePlace } from "./row-place.js";

/** The first text of a column that should hold numbers. */
export async function nameSlip(
  duck: Asker,
  relation: Relation,
  column: string,
  options: ReadOptions,
): Promise<UserError> {
  const [{ row, value }] = await duck.ask(
    `select row, value from (select row_number() over () as row, ${quoteName(column)}::varchar as value ` +
      `from ${relation.from(new Map())}) where value is not null ` +
      `and not regexp_full_match(value, ${quoteText(PLAIN_NUMBER)}) order by row limit 1`,
  );
  const place = await describePlace(duck, relation, Number(row) - 1, options);
  return describeSlip(place, column, String(value));
}

export function describeSlip(place: string, column: string, value: string): UserError {
  const word = quoteWord(column);
  const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  return new UserError(
    `${place}, column ${JSON.stringify(column)}: ${JSON.stringify(shown)} is not a number`,
    `correct it, or omit the column with --exclude ${word}; --label ${word} if it is the class, ` +
      `--one-hot ${word} for one feature per value`,
  );
}
