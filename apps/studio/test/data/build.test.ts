import { Dense, writeNpy } from "bonmf";
import type { TableOptions } from "bonmf-data";
import { readCsv } from "bonmf-data";
import { describe, expect, it } from "vitest";
import { FILE, TABLES, toPlain } from "../../../../packages/data/test/fixtures/tables.js";
import { buildData } from "../../src/data/build.js";
import { type Choice, firstChoice } from "../../src/data/choice.js";
import { makeExample } from "../../src/data/example.js";
import { nameTable, openItems } from "../../src/data/open.js";

const table = (text: string) => nameTable("t.csv", "csv", readCsv(new TextEncoder().encode(text), "t.csv"));
const rows = async (source: ReturnType<typeof table>, choice: Choice = {}) => {
  const data = await buildData(source, choice);
  return { ...data, rows: Array.from({ length: data.X.samples }, (_, i) => Array.from(data.X.row(i))) };
};

const FLAGS = ["label", "noLabel", "id", "text", "exclude", "oneHot", "numbers", "missing"];

/** Whether the page has a menu for it. */
function isOffered(options: TableOptions): boolean {
  const { oneHot, missing = "mean" } = options;
  return (
    Object.keys(options).every((flag) => FLAGS.includes(flag)) && oneHot !== true && /mean|zero|drop/.test(missing)
  );
}

function toChoice({ noLabel, ...options }: TableOptions): Choice {
  return { ...(options as Choice), ...(noLabel && { label: null }) };
}

describe("a file opens as in the command", () => {
  const offered = TABLES.filter(({ options }) => isOffered(options));
  it("is tested", () => expect(offered.length).toBeGreaterThan(140));

  it.each(offered)("$name", async ({ text, options, expected, file = FILE }) => {
    const open = async () => {
      const source = await openItems([{ name: file, blob: new Blob([text]) }]);
      return buildData(source, { ...firstChoice(source), ...toChoice(options) });
    };
    if ("error" in expected) await expect(open()).rejects.toThrow(expected.error);
    else expect(toPlain(await open())).toEqual(expected);
  });
});

const drinks = table(
  "cup,hot,milk,size,kind\na,1,0,big,tea\nb,2,,small,tea\nc,3,4,big,coffee\nd,4,8,small,coffee\ne,5,9,,tea\n",
);

it("plans label, names, categories and fills, and takes a person's word for each", async () => {
  const data = await rows(drinks);
  expect(data.roles).toEqual(["id", "feature", "feature", "one-hot", "label"]);
  expect(data.features).toEqual(["hot", "milk", "size=big", "size=small"]);
  expect(data.groups).toEqual([0, 1, 2, 2]);
  expect(data.rows[1]).toEqual([2, 4, 0, 1]);
  expect(data.labels).toEqual(["tea", "tea", "coffee", "coffee", "tea"]);
  const other = await rows(drinks, { label: null, exclude: ["cup", "size"], missing: "drop" });
  expect(other.roles).toEqual(["out", "feature", "feature", "out", "one-hot"]);
  expect(other.rows).toEqual([
    [1, 0, 0, 1],
    [3, 4, 1, 0],
    [4, 8, 1, 0],
    [5, 9, 0, 1],
  ]);
  await expect(rows(drinks, { exclude: ["hot", "milk", "size", "kind"] })).rejects.toThrow("no column is left");
});

it("takes numbered columns that make a square for pixels", async () => {
  const shapes = makeExample("shapes");
  const { X, image, roles } = await buildData(shapes, {});
  expect([X.features, image]).toEqual([144, { width: 12, height: 12 }]);
  expect(roles.at(-1)).toBe("label");
  expect((await buildData(shapes, { image: null })).image).toBe(null);
  expect((await buildData(shapes, { image: { width: 9, height: 16 } })).image).toEqual({ width: 9, height: 16 });
});

it("counts the words of a column of texts", async () => {
  const { X, features, recipe, texts, roles } = await buildData(makeExample("notes"), {});
  expect(roles).toEqual(["text", "label"]);
  expect(X.kind).toBe("sparse");
  expect(features).toContain("garlic");
  expect(texts).toHaveLength(180);
  expect(recipe).toMatchObject({ kind: "text", text: { column: "note", minDocuments: 2 } });
});

it("fills what arrays lack, without changing the file", async () => {
  const bytes = writeNpy(new Dense(3, 2, Float32Array.from([2, Number.NaN, 1, 4, 0, 6]))) as Uint8Array<ArrayBuffer>;
  const source = await openItems([{ name: "a.npy", blob: new Blob([bytes]) }]);
  for (const [missing, fill] of [
    [undefined, 4],
    ["mean", 5],
    ["zero", 0],
  ] as const) {
    const { X } = await buildData(source, { missing });
    expect(Array.from(X.row(0))).toEqual([2, fill]);
  }
});
