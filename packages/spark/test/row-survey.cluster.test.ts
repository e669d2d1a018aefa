// What a real cluster's rows may look like, and what is said of those that cannot be used.
import { DataError } from "bonmf";
import { describe, expect, it } from "vitest";
import { type SparkInput, sparkEngine } from "../src/index.js";
import { url } from "./digits.js";

describe("rows that cannot be used", () => {
  const look = async (query: string, more: Partial<SparkInput> = {}) => {
    const source = await sparkEngine({ url, query, order: ["id"], ...more });
    await source.close();
    return { samples: source.samples, features: source.features };
  };
  const complaint = async (query: string, more: Partial<SparkInput> = {}) => {
    const error = await look(query, more).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DataError);
    return (error as DataError).message;
  };
  const rows = (x: string) => `SELECT id, ${x} AS x FROM range(20)`;

  it("counts those that can", async () => {
    expect(await look(rows("array(1, 2, id)"))).toEqual({ samples: 20, features: 3 });
    expect(await look("SELECT id, id % 3 AS a, 1.5 AS b, 'x' AS c FROM range(9)")).toEqual({ samples: 9, features: 2 });
    const sparse = "SELECT id, array(id, id + 5) AS indices, array(1.0D, 2.0D) AS values FROM range(4)";
    expect(await look(sparse)).toEqual({ samples: 4, features: 9 });
    expect(await look(sparse, { width: 30 })).toEqual({ samples: 4, features: 30 });
  });

  it.each([
    [
      "array(1D, if(id IN (4, 7), null, 3D))",
      "2 of 20 rows",
      "id = 4: column x, value 1 is null (and 1 more such rows)",
    ],
    ["if(id = 9, null, array(1D, 2D))", "1 of 20 rows", "id = 9: column x is null"],
    ["array(1D, if(id = 3, double('NaN'), 3D))", "1 of 20 rows", "id = 3: column x, value 1 is NaN"],
    ["array(if(id = 5, double('Infinity'), 1D))", "1 of 20 rows", "id = 5: column x, value 0 is Infinity"],
    ["array(1D, 0D, if(id = 6, -0.5D, 3D))", "1 of 20 rows", "id = 6: column x, value 2 is -0.5"],
    ["if(id < 2, array(1D), array(1D, 2D))", "2 of 20 rows", "id = 0: column x has 1 values, unlike most rows"],
  ])("are named: %s", async (x, share, which) => {
    const message = await complaint(rows(x));
    expect(message).toContain(share);
    expect(message).toContain(which);
  });

  it("are named by column where features are columns", async () => {
    const query = "SELECT id, 1D AS a, if(id = 2, -3D, 1D) AS b FROM range(5)";
    expect(await complaint(query)).toContain("id = 2: column b is -3.0");
  });

  it("are named where they are sparse", async () => {
    const query = (indices: string, values: string) =>
      `SELECT id, ${indices} AS indices, ${values} AS values FROM range(5)`;
    expect(await complaint(query("array(1, 2)", "if(id = 1, array(1D), array(1D, 2D))"))).toContain(
      "different lengths",
    );
    expect(await complaint(query("if(id = 1, array(2, 2), array(1, 2))", "array(1D, 2D)"))).toContain(
      "id = 1: indices",
    );
    expect(await complaint(query("array(1, 7)", "array(1D, 2D)"), { width: 5 })).toContain("goes up to 7");
  });

  it("are no rows at all, or no numbers", async () => {
    expect(await complaint("SELECT id, array(1D) AS x FROM range(0)")).toBe("the query gives no rows");
    expect(await complaint("SELECT id, 'a' AS b FROM range(3)")).toContain("the rows have id bigint, b string");
    expect(await complaint("SELECT id, 'a' AS b FROM range(3)", { features: ["b"] })).toContain("column b is string");
    expect(await complaint("SELECT id FROM range(3)", { features: ["z"] })).toContain("there is no column z");
  });
});
