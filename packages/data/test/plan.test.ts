import { describe, expect, it } from "vitest";
import {
  blankSummary,
  type ColumnSummary,
  makePlan,
  readCsv,
  summarizeTable,
  type TableOptions,
  type TablePlan,
} from "../src/index.js";
import { rankLabelName } from "../src/names.js";
import { FILE, TABLES } from "./fixtures/tables.js";

const ROWS = 100;

function numbers(name: string, more: Partial<ColumnSummary> = {}): ColumnSummary {
  return { ...blankSummary(name, "number"), rows: ROWS, missing: 0, min: 0, max: 9.5, whole: false, ...more };
}

/** Texts v0, v1 …, all as common. */
function texts(name: string, distinct: number, more: Partial<ColumnSummary> = {}): ColumnSummary {
  const common = Array.from({ length: distinct }, (_, v) => ({ value: `v${v}`, count: ROWS / distinct }));
  return {
    ...blankSummary(name, "text"),
    ...{ rows: ROWS, missing: 0, distinct, common, length: 2, words: 1 },
    ...more,
  };
}

function plan(columns: readonly ColumnSummary[], options: TableOptions = {}): TablePlan {
  return makePlan({ kind: "csv", name: FILE, columns }, options);
}

describe("a plan", () => {
  it("takes a column that nobody has looked at for plain numbers", () => {
    const { features, notes, recipe, groups } = plan([blankSummary("a", "number"), blankSummary("b", "boolean")]);
    expect({ features, notes, recipe, groups }).toEqual({
      features: ["a", "b"],
      notes: [],
      recipe: { kind: "csv" },
      groups: null,
    });
  });

  it("gives the values of a category one group", () => {
    const { features, groups } = plan([numbers("a"), texts("k", 3), numbers("b"), texts("l", 2)]);
    expect(features).toEqual(["a", "k=v0", "k=v1", "k=v2", "b", "l=v0", "l=v1"]);
    expect(groups).toEqual([0, 1, 1, 1, 2, 3, 3]);
  });

  it.each([
    [20, ROWS, "category"],
    [21, ROWS, "too many values"],
    [31, 1000, "category"],
    [32, 1000, "too many values"],
    [100, 1_000_000, "category"],
    [101, 1_000_000, "too many values"],
    [6, 11, "too many values"],
  ])("of %i values in %i rows: %s", (distinct, rows, what) => {
    const { parts, leftOut } = plan([numbers("a", { rows }), texts("k", distinct, { rows })]);
    expect(leftOut.get("k") ?? (parts[1].values ? "category" : "number")).toBe(what);
  });

  it.each([
    ["empty", { missing: ROWS }],
    ["mostly missing", { missing: 51, median: 1 }],
    ["constant", { min: 2, max: 2 }],
  ])("leaves out: %s", (why, more) => {
    const column = numbers("b", more);
    expect(plan([numbers("a"), column]).leftOut.get("b")).toBe(why);
    expect(plan([numbers("a"), column], { numbers: ["b"] }).features).toEqual(["a", "b"]);
  });

  it.each([
    ["id", 0, "row number"],
    ["Unnamed: 0", 0, "row number"],
    ["column3", 1, "row number"],
    ["index", 1, "row number"],
    ["width", 0, undefined],
    ["index", 2, undefined],
  ])("%s, counted from %i: %s", (name, min, why) => {
    const counter = numbers(name, { whole: true, distinct: ROWS, min, max: min + ROWS - 1 });
    const { leftOut, id, features } = plan([counter, numbers("a")]);
    expect(id === name ? "row number" : leftOut.get(name)).toBe(why);
    expect(features.includes(name)).toBe(why === undefined);
  });

  it("sets the likeliest label aside, and leaves out what says the same", () => {
    const columns = [
      numbers("a"),
      texts("species_name", 3),
      texts("type", 2),
      numbers("class", { whole: true, distinct: 3 }),
    ];
    const { label, leftOut, features } = plan(columns);
    expect(label).toBe("class");
    expect([...leftOut]).toEqual([["species_name", "label"]]);
    expect(features).toEqual(["a", "type=v0", "type=v1"]);
    expect(plan(columns, { noLabel: true }).label).toBeUndefined();
    expect(plan(columns, { label: "type" }).label).toBe("type");
  });

  it.each([
    [{ whole: false, distinct: 21 }, true],
    [{ whole: false, distinct: 20 }, false],
    [{ whole: true, distinct: 51 }, true],
    [{ whole: true, distinct: 51, rows: 510 }, false],
    [{ whole: true, distinct: 50 }, false],
  ])("refuses a label of measurements: %j, %s", (more, refused) => {
    const run = () => plan([numbers("a"), numbers("price", more)], { label: "price" });
    if (refused) expect(run).toThrow('table.csv: the label "price" is a measurement');
    else expect(run().label).toBe("price");
  });

  it("does not set the only feature aside", () => {
    const { features, label } = plan([numbers("y", { whole: true, distinct: 3 })]);
    expect(features).toEqual(["y"]);
    expect(label).toBeUndefined();
  });

  it("with --strict refuses what it would decide", () => {
    const columns = [numbers("a", { missing: 3, median: 1 }), texts("class", 2)];
    expect(() => plan(columns, { strict: true })).toThrow('table.csv: column "class" is not numeric');
    const strict = plan(columns, { strict: true, exclude: ["class"] });
    expect([strict.fills.size, strict.notes]).toEqual([0, []]);
  });

  it("keeps pixels that never change", () => {
    const pixels = Array.from({ length: 49 }, (_, p) => numbers(`pixel${p}`, p < 9 ? { min: 0, max: 0 } : {}));
    const { features, image } = plan(pixels);
    expect([features.length, image]).toEqual([49, { width: 7, height: 7 }]);
  });

  it("says how to take the words of free text that is left out", () => {
    const { notes } = plan([numbers("price"), texts("body", ROWS - 1, { length: 80, words: 12 })]);
    expect(notes).toEqual([
      'left out: "body" (free text); --text takes the words of one instead, --numbers or --one-hot uses a column all the same',
    ]);
  });

  it("takes no texts for pixels", () => {
    const columns = Array.from({ length: 49 }, (_, p) => (p < 9 ? texts(`pixel${p}`, 1) : numbers(`pixel${p}`)));
    expect(plan(columns).features).toHaveLength(40);
  });

  it("joins many alike decisions in one note", () => {
    const columns = Array.from({ length: 9999 }, (_, c) => numbers(`g${c}`, c % 3 ? {} : { min: 1, max: 1 }));
    const { notes, features } = plan(columns);
    expect(features.length).toBe(6666);
    expect(notes).toEqual([
      'left out: "g0", "g3", "g6", "g9", "g12" and 3328 more (the same value in every row); ' +
        "--numbers or --one-hot uses a column all the same",
    ]);
  });
});

it.each([
  ["class", true],
  ["Class Label", true],
  ["targets", true],
  ["target_names", true],
  ["Species", true],
  ["classes", true],
  ["className", true],
  ["y", true],
  ["subclass", false],
  ["day", false],
  ["ys", false],
  ["classroom", false],
])("%s is the name of a label: %s", (name, is) => {
  expect(rankLabelName(name) >= 0).toBe(is);
});

const whole = TABLES.filter(
  ({ file, options, expected }) => file === undefined && options.text === undefined && !("error" in expected),
);

it.each(whole)("the order of columns changes only the order of features: $name", ({ text, options }) => {
  const table = { ...readCsv(new TextEncoder().encode(text), FILE), name: FILE, kind: "csv" as const };
  const summary = summarizeTable(table, options);
  const one = makePlan(summary, options);
  const other = makePlan({ ...summary, columns: summary.columns.toReversed() }, options);
  const sorted = (names: readonly string[]) => [...names].sort();
  expect(sorted(other.features)).toEqual(sorted(one.features));
  expect(new Map(other.fills)).toEqual(new Map(one.fills));
  expect(other.label).toBe(one.label);
});
