/**
 * Dates in milliseconds since 1970, NaN where a text is empty or no date. 3/4/2021 is the 4th of March, unless some first number is
 * no month.
 */
export function parseDates(texts: readonly string[]): Float64Array {
  const different = [...new Set(texts)];
  const numbered = different.map((text) => /^\s*(\d{1,2})([./-])(\d{1,2})\2(\d{4})(.*)$/.exec(text));
  const dayFirst = numbered.some((found) => found && (found[2] === "." || Number(found[1]) > 12));
  const known = new Map<string, number>();
  different.forEach((text, t) => {
    const found = numbered[t];
    const [month, day] = found ? (dayFirst ? [found[3], found[1]] : [found[1], found[3]]) : [];
    known.set(text, parseDate(found ? `${found[4]}-${pad(month)}-${pad(day)}${found[5]}` : text));
  });
  return Float64Array.from(texts, (text) => known.get(text)!);
}

const MONTH = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;

/** Without a zone it is taken as UTC, so that results agree everywhere. */
function parseDate(text: string): number {
  // `Date` reads almost anything that ends in a number.
  if (!/\d{4}/.test(text) || !(/\d[^\d]+\d|\d{8}/.test(text) || MONTH.test(text))) return Number.NaN;
  const spelled = text.trim().replace(/^(\d{4})[/.](\d{1,2})[/.](\d{1,2})/, (_, y, m, d) => `${y}-${pad(m)}-${pad(d)}`);
  if (/(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})$/.test(spelled)) return Date.parse(spelled);
  const iso = /^\d{4}-\d{2}(?:-\d{2}([T ].*)?)?$/.exec(spelled);
  return iso ? Date.parse(`${spelled.replace(" ", "T")}${iso[1] ? "Z" : ""}`) : Date.parse(`${spelled} UTC`);
}

function pad(number: string | undefined): string {
  return (number ?? "").padStart(2, "0");
}
