import { UserError } from "../../errors.js";

/** @throws UserError for a name that SQL cannot write */
export function checkColumnNames(columns: readonly { readonly name: string }[], source: string): void {
  for (const [c, { name }] of columns.entries()) {
    if (name === "") throw new UserError(`${source}: column ${c + 1} has no name`, "give it one");
    if (!name.includes("\0")) continue;
    throw new UserError(
      `${source}: the name of column ${c + 1}, ${JSON.stringify(name)}, has a zero character`,
      "rename the column",
    );
  }
}
