import { parseDates, textAt } from "bonmf-data";
import { type Data, nameCounts } from "../data/build.js";
import type { Source } from "../data/source.js";
import type { ColourBy, Column } from "./protocol.js";

/** More different texts than these are no categories. */
const MOST_GROUPS = 100;

/**
 * What the map is coloured by.
 *
 * @param cosines of each sample to its prototype
 */
export function readColumn(source: Source, data: Data, cosines: Float32Array | null, by: ColourBy): Column {
  if (by.by === "closeness") return { type: "numbers", date: false, values: Float64Array.from(cosines ?? []) };
  if (by.by === "class") return groupTexts((data.labels ?? []).map(String));
  if (by.by === "feature") return { type: "numbers", date: false, values: readFeature(data, by.feature) };
  const column = source.form === "table" ? source.columns.find(({ name }) => name === by.column) : undefined;
  if (!column) throw new Error(`${source.name} has no column "${by.column}"`);
  const rows = listRows(data);
  if (column.type === "number") {
    return { type: "numbers", date: false, values: Float64Array.from(rows, (row) => column.numbers[row]) };
  }
  const texts = Array.from(rows, (row) => textAt(column, row));
  const dates = readDates(texts);
  if (dates) return { type: "numbers", date: true, values: dates };
  if (new Set(texts).size > MOST_GROUPS) {
    throw new Error(`"${by.column}" has more than ${MOST_GROUPS} different texts: choose another column`);
  }
  return groupTexts(texts);
}

/** The dates of the first column that has nothing else, null where one is missing; null where there is no such column. */
export function findDates(source: Source, data: Data): (number | null)[] | null {
  if (source.form !== "table") return null;
  const rows = listRows(data);
  for (const column of source.columns) {
    if (column.type === "number") {
      if (!YEAR.test(column.name)) continue;
      const years = Array.from(rows, (row) => column.numbers[row]);
      const isYear = (year: number) => Number.isInteger(year) && year >= 1000 && year <= 3000;
      if (!years.every((year) => Number.isNaN(year) || isYear(year)) || !years.some(isYear)) continue;
      return years.map((year) => (Number.isNaN(year) ? null : Date.UTC(year, 0, 1)));
    }
    const dates = readDates(Array.from(rows, (row) => textAt(column, row)));
    if (dates) return Array.from(dates, (date) => (Number.isNaN(date) ? null : date));
  }
  return null;
}

/** Numbers are years where the name of their column says so. */
const YEAR = /(^|[^a-z])year([^a-z]|$)/i;

/** The rows of the file that are samples. */
function listRows({ X, dropped }: Data): Uint32Array {
  const gone = new Set(dropped ?? []);
  const rows = new Uint32Array(X.samples);
  for (let row = 0, i = 0; i < X.samples; row++) if (!gone.has(row)) rows[i++] = row;
  return rows;
}

function readFeature(data: Data, wanted: string): Float64Array {
  const { X, features } = nameCounts(data);
  const known = features?.indexOf(wanted) ?? -1;
  const place = known >= 0 ? known : Number(/^#?(\d+)$/.exec(wanted)?.[1] ?? Number.NaN) - 1;
  if (!(place >= 0 && place < X.features)) throw new Error(`there is no feature "${wanted}"`);
  const values = new Float64Array(X.samples);
  for (let i = 0; i < X.samples; i++) {
    if (X.kind === "dense") values[i] = X.data[i * X.features + place];
    else {
      X.each(i, (f, value) => {
        if (f === place) values[i] = value;
      });
    }
  }
  return values;
}

/** Numbers rising, then texts; what is missing comes last. */
function groupTexts(texts: readonly string[]): Column {
  const isNumber = (text: string) => text.trim() !== "" && Number.isFinite(Number(text));
  const names = [...new Set(texts)].sort((a, b) => {
    if (a === "" || b === "") return a === "" ? 1 : -1;
    if (isNumber(a) && isNumber(b)) return Number(a) - Number(b);
    if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1;
    return a < b ? -1 : 1;
  });
  const places = new Map(names.map((name, place) => [name, place]));
  const of = Uint32Array.from(texts, (text) => places.get(text)!);
  return { type: "groups", of, names: names.map((name) => (name === "" ? "missing" : name)) };
}

/** Milliseconds since 1970, NaN where a text is missing; null where one that is there is no date. */
export function readDates(texts: readonly string[]): Float64Array | null {
  const times = parseDates(texts);
  const isBroken = texts.some((text, i) => text !== "" && Number.isNaN(times[i]));
  return isBroken || texts.every((text) => text === "") ? null : times;
}
