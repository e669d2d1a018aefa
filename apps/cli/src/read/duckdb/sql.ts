/** A text as SQL writes it. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A column's name as SQL writes it. */
export function quoteName(column: string): string {
  return `"${column.replaceAll('"', '""')}"`;
}

/** File names as they are: DuckDB takes * ? [ for patterns. */
export function quotePaths(paths: readonly string[]): string {
  return `[${paths.map((path) => quoteText(path.replace(/[*?[]/g, "[$&]"))).join(", ")}]`;
}
