import { expect, it } from "vitest";
import { spanCalendar, spanEvenly } from "../../src/topics/spans.js";
import { draws } from "../synthetic.js";

const spansOf = (...dates: string[]) => spanCalendar(Float64Array.from(dates, (date) => Date.parse(date)));
const every = (months: number, count: number, year = 2000) =>
  Array.from({ length: count }, (_, i) => new Date(Date.UTC(year, months * i)).toISOString());

it.each([
  ["years", spansOf(...every(12, 5)), ["2000", "2001", "2002", "2003", "2004"]],
  ["two years", spansOf(...every(12, 2)), ["2000", "2001"]],
  ["months", spansOf(...every(1, 3)), ["2000-01", "2000-02", "2000-03"]],
  ["quarters", spansOf(...every(3, 4)), ["2000-01", "2000-04", "2000-07", "2000-10"]],
  ["one day", spansOf("2024-02-29"), ["2024-02-29"]],
  ["years before 100", spansOf("0005-01-01", "0006-01-01"), ["0005", "0006"]],
])("dates that are %s apart have no empty spans between them", (_, { names, edges }, expected) => {
  expect(names).toEqual(expected);
  expect(edges).toHaveLength(expected.length + 1);
});

it("a week begins on Monday", () => {
  const days = Array.from({ length: 60 }, (_, i) => new Date(Date.UTC(2024, 0, 3 + i)).toISOString());
  expect(spansOf(...days).names.slice(0, 3)).toEqual(["2024-01-01", "2024-01-08", "2024-01-15"]);
});

it("spans shorter than a day have a time", () => {
  const hours = Array.from({ length: 10 }, (_, i) => new Date(Date.UTC(2024, 0, 1, i, 30)).toISOString());
  expect(spansOf(...hours).names.slice(0, 2)).toEqual(["2024-01-01 00:00", "2024-01-01 01:00"]);
  const times = Float64Array.from(hours, (hour) => Date.parse(hour));
  expect(spanEvenly(times, 2).names).toEqual(["2024-01-01 00:30", "2024-01-01 05:00"]);
});

it("all moments lie in 24 spans or fewer, of seconds and of millennia", () => {
  const next = draws(5);
  for (let power = 3; power < 16; power += 0.25) {
    const times = Float64Array.from({ length: 200 }, () => -(10 ** 12) + Math.floor(next() * 10 ** power));
    if (Math.max(...times) > 8.6e15) break;
    const { edges, names } = spanCalendar(times);
    expect(names.length).toBeLessThanOrEqual(24);
    expect(new Set(names).size).toBe(names.length);
    expect(edges[0]).toBeLessThanOrEqual(Math.min(...times));
    expect(edges[edges.length - 1]).toBeGreaterThan(Math.max(...times));
    expect(edges.every((edge, b) => b === 0 || edge > edges[b - 1])).toBe(true);
  }
});
