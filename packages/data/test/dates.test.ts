import { describe, expect, it } from "vitest";
import { parseDates } from "../src/dates.js";

const show = (texts: readonly string[]) =>
  Array.from(parseDates(texts), (time) => (Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 16)));

describe("dates", () => {
  it.each([
    ["2021-03-04", "2021-03-04T00:00"],
    ["2021-03-04 10:30", "2021-03-04T10:30"],
    ["2021/3/5", "2021-03-05T00:00"],
    ["2021-03", "2021-03-01T00:00"],
    ["04.03.2021", "2021-03-04T00:00"],
    ["March 5, 2024", "2024-03-05T00:00"],
    ["March 2024", "2024-03-01T00:00"],
    ["2021-03-04T10:30:00+02:00", "2021-03-04T08:30"],
    ["2021-03-04T10:30:00Z", "2021-03-04T10:30"],
  ])("are read as they are written: %s", (text, time) => expect(show([text])).toEqual([time]));

  it("have the month first, unless some first number is none", () => {
    expect(show(["3/4/2021", "12/31/2021"])).toEqual(["2021-03-04T00:00", "2021-12-31T00:00"]);
    expect(show(["3/4/2021", "31/12/2021"])).toEqual(["2021-04-03T00:00", "2021-12-31T00:00"]);
  });

  it("are missing where there is none", () => {
    expect(show(["", "soon", "model 2021", "2021-03-04"])).toEqual([null, null, null, "2021-03-04T00:00"]);
  });
});
