import { DuckDBInstance } from "@duckdb/node-api";
import { Field, FixedSizeList, Float32, List, Table, tableToIPC, vectorFromArray } from "apache-arrow";
import { beforeAll, describe, expect, it } from "vitest";
import { readData, readParts } from "../../../src/read/read.js";
import { failure, makeFolder, rowsOf } from "../fixture.js";

const folder = makeFolder();
const path = (name: string) => `${folder.path}/${name}`;

beforeAll(async () => {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const write = (name: string, rows: string) => connection.run(`copy (${rows}) to '${path(name)}' (format parquet)`);
  const named = "as t(id, vec, kind)";
  await write(
    "list.parquet",
    `from (values ('a', [1, 2]::float[], 'x'), ('b', [3, 4]::float[], 'y'), ('c', null, 'x')) ${named}`,
  );
  await write(
    "fixed.parquet",
    `select id, vec::double[2] as vec from (values ('a', [1, 2]), ('b', [3, 4])) as t(id, vec)`,
  );
  await write("ragged.parquet", "from (values ([1, 2], 1), ([3], 2), ([4, 5, 6], 3)) as t(vec, n)");
  connection.closeSync();
  instance.closeSync();
});

describe("a column of lists", () => {
  it("becomes a feature an element", async () => {
    const options = { label: "kind", id: "id", missing: "zero" } as const;
    const { X, features } = await readData([path("list.parquet")], options);
    expect(features).toEqual(["vec[0]", "vec[1]"]);
    expect(rowsOf(X)).toEqual([[1, 2], [3, 4], [0, 0]]); // biome-ignore format: a matrix
    expect(rowsOf((await readData([path("fixed.parquet")], { exclude: ["id"] })).X)).toEqual([[1, 2], [3, 4]]); // biome-ignore format: a matrix
    const rows = [];
    for await (const part of readParts([path("fixed.parquet")], { id: "id" }, 1)) rows.push(...rowsOf(part.X));
    expect(rows).toEqual([[1, 2], [3, 4]]); // biome-ignore format: a matrix
  });

  it("is named by its own name or by its elements", async () => {
    const read = async (options: object) =>
      (await readData([path("list.parquet")], { missing: "drop", ...options })).features;
    expect(await read({ features: ["vec"] })).toEqual(["vec[0]", "vec[1]"]);
    expect(await read({ features: ["vec[1]"] })).toEqual(["vec[1]"]);
    expect(await read({ exclude: ["vec[0]", "id", "kind"] })).toEqual(["vec[1]"]);
  });

  it("is matched to a model's features", async () => {
    const fitted = await readData([path("fixed.parquet")], { id: "id" });
    const like = { features: fitted.features, recipe: fitted.recipe, count: 2 };
    const { X } = await readData([path("list.parquet")], { like, missing: "drop" });
    expect(rowsOf(X)).toEqual([[1, 2], [3, 4]]); // biome-ignore format: a matrix
  });

  it("is refused where its lists differ in length, unless it is excluded", async () => {
    const ragged = path("ragged.parquet");
    expect(await failure(readData([ragged], {}))).toMatchObject({
      message: `${ragged}, row 2, column "vec": a list of 1, but the lists before it have 2`,
      hint: expect.stringContaining("--exclude vec"),
    });
    expect(rowsOf((await readData([ragged], { exclude: ["vec"] })).X)).toEqual([[1], [2], [3]]);
    expect(rowsOf((await readData([ragged], { features: ["n"] })).X)).toEqual([[1], [2], [3]]);
    const { X } = await readData([ragged], { sql: "select vec from data where len(vec) > 2" });
    expect(rowsOf(X)).toEqual([[4, 5, 6]]);
  });

  it("comes from Arrow files too", async () => {
    const item = new Field("item", new Float32());
    const lists = [[1, 2], [3, 4]]; // biome-ignore format: a matrix
    for (const type of [new List(item), new FixedSizeList(2, item)]) {
      const table = new Table({ vec: vectorFromArray(lists, type), n: vectorFromArray([7, 8], new Float32()) });
      const { X, features } = await readData([folder.put("lists.arrow", tableToIPC(table, "file"))], {});
      expect(features).toEqual(["vec[0]", "vec[1]", "n"]);
      expect(rowsOf(X)).toEqual([[1, 2, 7], [3, 4, 8]]); // biome-ignore format: a matrix
    }
  });
});
