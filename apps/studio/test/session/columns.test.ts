import { beforeAll, describe, expect, it } from "vitest";
import { readDates } from "../../src/session/columns.js";
import type { Column } from "../../src/session/protocol.js";
import { LocalSession } from "../../src/session/session.js";
import { FIRST_ORDER } from "../../src/state/store.js";

const CSV = `name,kind,when,size,weight
a,cat,2021-03-04,1,10
b,dog,2021-03-05,2,11
c,cat,2021-04-01,,12
d,dog,2021-05-01,4,19
e,,2021-06-01,5,20
`;

describe("values that colour the map", () => {
  const session = new LocalSession(() => {});
  beforeAll(async () => {
    const preview = await session.open([{ name: "pets.csv", blob: new Blob([CSV]) }]);
    await session.prepare({ ...preview.choice, id: "name", exclude: ["kind"], missing: "drop" });
    await session.fit(1, { ...FIRST_ORDER, k: 2, pace: 0 }, null);
  });
  const values = (column: Column) => (column.type === "numbers" ? Array.from(column.values) : null);

  it("are columns that the fit did not use, for the rows it kept", async () => {
    expect(values(await session.column(1, { by: "column", column: "weight" }))).toEqual([10, 11, 19, 20]);
    expect(await session.column(1, { by: "column", column: "kind" })).toEqual({
      type: "groups",
      of: Uint32Array.of(0, 1, 1, 2),
      names: ["cat", "dog", "missing"],
    });
  });

  it("are dates in order", async () => {
    const column = await session.column(1, { by: "column", column: "when" });
    expect(column).toMatchObject({ type: "numbers", date: true });
    expect(values(column)?.map((value) => new Date(value).toISOString().slice(0, 10))).toEqual([
      "2021-03-04",
      "2021-03-05",
      "2021-05-01",
      "2021-06-01",
    ]);
  });

  it("are features, closeness", async () => {
    expect(values(await session.column(1, { by: "feature", feature: "size" }))).toEqual([1, 2, 4, 5]);
    expect(values(await session.column(1, { by: "feature", feature: "#1" }))).toEqual([1, 2, 4, 5]);
    const closeness = values(await session.column(1, { by: "closeness" }));
    const { rows } = await session.find(1, { cluster: null, label: null, text: "", sort: "order", from: 0, count: 9 });
    expect(closeness).toEqual(rows.map(({ cosine }) => cosine));
  });

  it("say what is wrong", async () => {
    await expect(session.column(1, { by: "feature", feature: "tail" })).rejects.toThrow('there is no feature "tail"');
    await expect(session.column(1, { by: "column", column: "tail" })).rejects.toThrow('pets.csv has no column "tail"');
  });

  it("a search finds samples, and a list can be limited to them", async () => {
    expect(await session.search("D")).toEqual(Uint32Array.of(2));
    expect(await session.search("  ")).toEqual(new Uint32Array(0));
    const query = { cluster: null, label: null, text: "", sort: "order", from: 0, count: 9 } as const;
    const page = await session.find(1, { ...query, among: Uint32Array.of(1, 3) });
    expect(page.rows.map(({ id }) => id)).toEqual(["b", "e"]);
    expect(await session.glimpse(3)).toMatchObject({ sample: 3, id: "e", label: null });
  });
});

describe("dates", () => {
  const days = (texts: string[]) =>
    Array.from(readDates(texts) ?? [], (value) => new Date(value).toISOString().slice(0, 16));

  it("are read as they are written", () => {
    expect(days(["2021-03-04 10:30", "2021/3/5"])).toEqual(["2021-03-04T10:30", "2021-03-05T00:00"]);
    expect(days(["04.03.2021"])).toEqual(["2021-03-04T00:00"]);
    expect(days(["March 4, 2021", "4 Mar 2021"])).toEqual(["2021-03-04T00:00", "2021-03-04T00:00"]);
    expect(days(["2021-03", "March 2021"])).toEqual(["2021-03-01T00:00", "2021-03-01T00:00"]);
  });

  it("have the day first where a month cannot be", () => {
    expect(days(["3/4/2021"])).toEqual(["2021-03-04T00:00"]);
    expect(days(["3/4/2021", "25/4/2021"])).toEqual(["2021-04-03T00:00", "2021-04-25T00:00"]);
  });

  it("are missing where there is nothing, and none where a text is none", () => {
    expect(Array.from(readDates(["2021-03-04", ""]) ?? [])[1]).toBeNaN();
    expect(readDates(["2021-03-04", "cat"])).toBeNull();
    expect(readDates(["model 2021", "12"])).toBeNull();
    expect(readDates([""])).toBeNull();
  });
});

describe("topics over time", () => {
  const TEXTS = ["cats purr softly", "dogs bark loudly", "cats sleep and purr", "dogs bark and run"];
  const findTimes = async (head: string, cells: readonly string[]) => {
    const session = new LocalSession(() => {});
    const rows = Array.from({ length: 12 }, (_, i) => `${cells[i % cells.length]},${TEXTS[i % 4]} ${i}`);
    const blob = new Blob([`${head},text\n${rows.join("\n")}\n`]);
    const preview = await session.open([{ name: "notes.csv", blob }]);
    await session.prepare({ ...preview.choice, text: "text", label: null });
    await session.fit(1, { ...FIRST_ORDER, k: 2, pace: 0 }, null);
    return (await session.findings(1)).topics?.time ?? null;
  };

  it("are shown where a column has dates, or years by its name", async () => {
    const dated = await findTimes("when", ["2021-03-04", "2021-04-01", "2021-05-01", ""]);
    expect(dated?.totals.reduce((sum, count) => sum + count, 0)).toBe(9);
    expect(dated?.names).toEqual(["2021-03", "2021-04", "2021-05"]);
    const years = await findTimes("year", ["1999", "2004", "2011"]);
    expect(years?.totals.reduce((sum, count) => sum + count, 0)).toBe(12);
  });

  it("are not made of other numbers and texts", async () => {
    expect(await findTimes("pages", ["1999", "2004", "2011"])).toBe(null);
    expect(await findTimes("year", ["12", "2004", "2011"])).toBe(null);
    expect(await findTimes("place", ["May Street 2004", "here"])).toBe(null);
  });
});

it("samples of a table are told by the categories they have, right-to-left names apart from what follows", async () => {
  const session = new LocalSession(() => {});
  const rows = ["red,2,u", "blue,5,v", "red,3,u", "green,8,v", "blue,4,u", "green,9,v"];
  await session.open([{ name: "t.csv", blob: new Blob([`colour,\u05e6\u05d1\u05e2,letter\n${rows.join("\n")}\n`]) }]);
  await session.prepare({});
  await session.fit(1, { ...FIRST_ORDER, k: 2, pace: 0 }, null);
  const query = { cluster: null, label: null, text: "", sort: "order", from: 0, count: 2 } as const;
  const found = await session.find(1, query);
  expect(found.rows.map(({ text }) => text)).toEqual([
    "colour=red · \u2068\u05e6\u05d1\u05e2\u2069 2 · letter=u",
    "colour=blue · \u2068\u05e6\u05d1\u05e2\u2069 5 · letter=v",
  ]);
});
