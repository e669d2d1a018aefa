/** What spreadsheets take for a formula, also in the wide letters of East Asian keyboards. */
const FORMULA = /^"?[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|infinity)$/i;

const CELLS = {
  ",": /(^|[,\n])("[^"]*(?:""[^"]*)*"|[^,\n]*)/g,
  "\t": /(^|[\t\n])("[^"]*(?:""[^"]*)*"|[^\t\n]*)/g,
};

/**
 * Lines of CSV whose texts no spreadsheet runs: one that would be a formula gets an apostrophe before it. Numbers stay.
 *
 * @param lines whole lines, with quotes where a cell needs them
 */
export function defuseFormulas(lines: string, separator: keyof typeof CELLS): string {
  return lines.replace(CELLS[separator], (all, before: string, cell: string) => {
    if (!FORMULA.test(cell) || NUMBER.test(cell)) return all;
    return cell.startsWith('"') ? `${before}"'${cell.slice(1)}` : `${before}'${cell}`;
  });
}
