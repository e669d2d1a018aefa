// Whether two readers found the same in a file.

/** Nothing where they did, else what differs. */
export function findDifference(ours, theirs) {
  if (ours.shape && theirs.shape) return compareMatrices(ours, theirs);
  const columns = ours.columns ?? toColumns(ours);
  return compareColumns(columns, theirs.columns ?? toColumns(theirs, columns), ours.single === true);
}

function compareMatrices(ours, theirs) {
  if (String(ours.shape) !== String(theirs.shape))
    return `${ours.shape.join(" × ")} against ${theirs.shape.join(" × ")}`;
  if (ours.entries.length !== theirs.entries.length)
    return `${ours.entries.length} values against ${theirs.entries.length}`;
  for (const [e, [i, f, value]] of ours.entries.entries()) {
    const [row, column, right] = theirs.entries[e];
    if (i !== row || f !== column || !isSame(value, right, ours.single))
      return `${value} at (${i}, ${f}) against ${right} at (${row}, ${column})`;
  }
}

/** Columns that ours has left out do not count. */
function compareColumns(ours, theirs, single) {
  const names = new Map(theirs);
  for (const [name, values] of ours) {
    const right = names.get(name);
    if (!right) return `column ${JSON.stringify(name)} is not there`;
    if (values.length !== right.length) return `${values.length} rows against ${right.length}`;
    const at = values.findIndex((value, i) => !isSame(value, right[i], single));
    if (at >= 0) return `column ${JSON.stringify(name)}, row ${at + 1}: ${values[at]} against ${right[at]}`;
  }
}

/** A matrix by columns, with the names of others. */
function toColumns({ shape: [n, m], entries }, like) {
  const columns = Array.from({ length: m }, (_, f) => [like?.[f]?.[0] ?? String(f + 1), new Array(n).fill(0)]);
  for (const [i, f, value] of entries) columns[f][1][i] = value;
  return columns;
}

/** @param single whether ours has 32 bits */
function isSame(ours, theirs, single) {
  if (ours === theirs || (ours === null && (theirs === "nan" || theirs === ""))) return true;
  // A column may be texts for one and numbers for the other.
  if (typeof ours === "string" || typeof theirs === "string")
    return ours !== null && theirs !== null && toNumber(ours, single) === toNumber(theirs, single);
  if (!single || typeof ours !== "number" || typeof theirs !== "number") return false;
  const rounded = Math.fround(theirs);
  if (ours === rounded) return true;
  // The peer's integer was rounded to 64 bits before.
  return Math.abs(theirs) > 2 ** 53 && Math.abs(ours - rounded) <= Math.abs(rounded) * 2 ** -23;
}

function toNumber(value, single) {
  const number = value === "inf" ? Infinity : value === "-inf" ? -Infinity : Number(value);
  return single ? Math.fround(number) : number;
}
