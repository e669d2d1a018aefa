/** Spans of time, one after another. */
export interface Spans {
  /** b + 1 moments in milliseconds since 1970, rising: span i is from the i-th to the next. */
  readonly edges: number[];
  /** How each span is called: by its beginning, as short as it may be ("2024", "2024-03", "2024-03-05", "2024-03-05 12:00"). */
  readonly names: string[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MOST = 24;

/** A unit of the calendar, in UTC. */
interface Unit {
  /** Where the span begins that a moment is in. */
  readonly floor: (time: number) => number;
  readonly next: (start: number) => number;
  /** How much of an ISO date names it. */
  readonly letters: number;
}

const DATE = 10;
const TIME = 16;

/** @param offset a moment at which one begins */
function even(width: number, letters: number, offset = 0): Unit {
  return {
    floor: (time) => offset + Math.floor((time - offset) / width) * width,
    next: (start) => start + width,
    letters,
  };
}

function months(count: number): Unit {
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  const begin = (month: number) => new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1);
  const monthOf = (time: number) => 12 * new Date(time).getUTCFullYear() + new Date(time).getUTCMonth();
  return {
    floor: (time) => begin(Math.floor(monthOf(time) / count) * count),
    next: (start) => begin(monthOf(start) + count),
    letters: count < 12 ? 7 : 4,
  };
}

const [day, month, year] = [even(DAY, DATE), months(1), months(12)];
/** 1970 began on a Thursday. */
const week = even(7 * DAY, DATE, 4 * DAY);
const MANY_YEARS = [1, 10, 100, 1000, 10_000].flatMap((power) => [2, 5, 10].map((few) => months(12 * few * power)));
const UNITS: readonly Unit[] = [
  ...[1, 5, 15].map((few) => even(few * MINUTE, TIME)),
  ...[1, 3, 6, 12].map((few) => even(few * HOUR, TIME)),
  ...[day, week, month, months(3), year, ...MANY_YEARS],
];

/**
 * Spans of the calendar that hold all the moments: the shortest ones that are not many, so that dates a month or a year apart have
 * no empty spans between them.
 */
export function spanCalendar(times: Float64Array): Spans {
  const [least, most] = rangeOf(times);
  const few = Math.min(MOST, Math.max(1, Math.floor(1.5 * new Set(times).size)));
  const isOnly = (unit: Unit) => times.every((time) => unit.floor(time) === time);
  const shortest = [year, month, day].find(isOnly) ?? UNITS[0];
  for (const unit of UNITS.slice(UNITS.indexOf(shortest))) {
    const edges = [unit.floor(least)];
    while (edges[edges.length - 1] <= most && edges.length <= few + 1) edges.push(unit.next(edges[edges.length - 1]));
    if (edges.length <= few + 1 && edges[edges.length - 1] > most) return { edges, names: name(edges, unit.letters) };
  }
  return spanEvenly(times, few);
}

/** So many spans of equal length. */
export function spanEvenly(times: Float64Array, bins: number): Spans {
  const [least, most] = rangeOf(times);
  const count = least === most ? 1 : bins;
  const width = (most - least) / count;
  const edges = Array.from({ length: count + 1 }, (_, b) => (b === count ? most : least + b * width));
  return { edges, names: name(edges, width > 0 && width < DAY ? TIME : DATE) };
}

function name(edges: readonly number[], letters: number): string[] {
  // Years beyond four digits have a sign and two digits more.
  return edges.slice(0, -1).map((time) => {
    const whole = new Date(time).toISOString();
    return whole.slice(0, whole.length - 24 + letters).replace("T", " ");
  });
}

function rangeOf(times: Float64Array): [number, number] {
  return times.reduce(
    ([low, high], time) => [Math.min(low, time), Math.max(high, time)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}
