import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { tableFromIPC } from "apache-arrow";
import { Dense, loadModel, writeNpy } from "bonmf";
import { describe, expect, it } from "vitest";
import { makeFolder, runBonmf, writeBlobs } from "../binary.js";

const cwd = makeFolder();
const at = (name: string) => join(cwd, name);
const read = (name: string) => readFileSync(at(name), "utf8");
const lines = (name: string) => read(name).trimEnd().split("\n");

async function run(...args: string[]) {
  const ended = await runBonmf(args, { cwd });
  expect(ended.stderr).not.toContain("error");
  expect(ended.code).toBe(0);
  return ended;
}

async function query(sql: string) {
  const connection = await (await DuckDBInstance.create()).connect();
  return connection.runAndReadAll(sql);
}

/** A row that is dropped in the middle and at the end, a clash of names, and texts that need care. */
const DRINKS = `name,caffeine,milk,fruit,cluster,Cosine
espresso,9,0,0.0,a,0012
flat white,7,5,0,"b, ""c""",NA
latte,6,,0,,x
lemonade,0,0,8.50,d,y
squash,0,NA,6,e," z"
`;
writeFileSync(at("drinks.csv"), DRINKS);
const FIT = [
  "fit",
  "drinks.csv",
  "--k",
  "2",
  "--features",
  "caffeine,milk,fruit",
  "--scale",
  "none",
  "--missing",
  "drop",
];

describe("the rows of a fit with their clusters", () => {
  it("have the cells of the file, in its order, and empty results where a row was dropped", async () => {
    await run(...FIT, "--assignments", "a.csv", "--out", "m.st");
    const { labels } = loadModel(readFileSync(at("m.st")));
    const found = lines("a.csv");
    expect(found[0]).toBe("name,caffeine,milk,fruit,cluster,Cosine,cluster_2,cosine_2,margin");
    expect(found[1]).toMatch(new RegExp(`^espresso,9,0,0\\.0,a,0012,${labels[0]},0\\.\\d+,0\\.\\d+$`));
    expect(found[2]).toMatch(new RegExp(`^flat white,7,5,0,"b, ""c""",NA,${labels[1]},0\\.\\d+,0\\.\\d+$`));
    expect(found[3]).toBe("latte,6,,0,,x,,,");
    expect(found[4]).toMatch(new RegExp(`^lemonade,0,0,8\\.50,d,y,${labels[2]},1,1$`));
    expect(found[5]).toBe('squash,0,NA,6,e," z",,,');
    expect(found.length).toBe(6);
  });

  it("are the same by predict", async () => {
    await run("predict", "m.st", "drinks.csv", "--missing", "drop", "--out", "p.csv");
    expect(read("p.csv")).toBe(read("a.csv"));
    const { stdout } = await runBonmf(["predict", "m.st", "-", "--missing", "drop"], { cwd, input: DRINKS });
    expect(stdout).toBe(read("a.csv"));
  });

  it("are TSV, gzipped CSV and JSON lines", async () => {
    for (const name of ["a.tsv", "a.csv.gz", "a.jsonl"]) await run(...FIT, "--assignments", name);
    expect(lines("a.tsv")[2]).toMatch(/^flat white\t7\t5\t0\t"b, ""c"""\tNA\t\d\t/);
    expect(gunzipSync(readFileSync(at("a.csv.gz"))).toString()).toBe(read("a.csv"));
    const rows = lines("a.jsonl").map((line) => JSON.parse(line));
    expect(rows[1]).toMatchObject({
      name: "flat white",
      caffeine: 7,
      milk: 5,
      fruit: 0,
      cluster: 'b, "c"',
      Cosine: "NA",
    });
    expect(rows[4]).toEqual({
      name: "squash",
      caffeine: 0,
      milk: null,
      fruit: 6,
      cluster: "e",
      Cosine: " z",
      cluster_2: null,
      cosine_2: null,
      margin: null,
    });
  });

  it("are Parquet and Arrow with types", async () => {
    for (const name of ["a.parquet", "a.arrow"]) await run(...FIT, "--assignments", name);
    const found = await query(`from '${at("a.parquet")}'`);
    expect(found.columnTypes().map(String)).toEqual([
      "VARCHAR",
      "BIGINT",
      "BIGINT",
      "DOUBLE",
      "VARCHAR",
      "VARCHAR",
      "BIGINT",
      "DOUBLE",
      "DOUBLE",
    ]);
    const clusters = lines("a.csv").slice(1).map((line) => line.split(",").at(-3)); // biome-ignore format: one line
    const expected = clusters.map((text) => (text === "" ? null : BigInt(text ?? "")));
    expect(found.getColumns()[6]).toEqual(expected);
    const table = tableFromIPC(readFileSync(at("a.arrow")));
    expect([...(table.getChild("cluster_2") ?? [])]).toEqual(expected);
    expect([...(table.getChild("milk") ?? [])]).toEqual([0n, 5n, null, 0n, null]);
    expect([...(table.getChild("Cosine") ?? [])]).toEqual(["0012", "NA", "x", "y", " z"]);
  });

  it("take a column for text where later rows are", async () => {
    const numbers = Array.from({ length: 30_000 }, (_, i) => `${i % 7},${i % 5},${i}`);
    writeFileSync(at("late.csv"), `a,b,code\n${numbers.join("\n")}\n1,2,A7\n`);
    await run("fit", "late.csv", "--k", "2", "--features", "a,b", "--assignments", "late.parquet");
    const found = await query(`select code, cluster from '${at("late.parquet")}'`);
    expect(found.columnTypes().map(String)).toEqual(["VARCHAR", "BIGINT"]);
    expect(found.getColumns()[0].slice(-2)).toEqual(["29999", "A7"]);
  });

  it("keep their order over many parts and dropped rows", async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => [i, i % 3 === 0 ? "" : 1 + (i % 9), 1 + (i % 11)]);
    writeFileSync(at("many.csv"), `n,a,b\n${rows.map((row) => row.join(",")).join("\n")}\n`);
    const args = ["--features", "a,b", "--missing", "drop", "--k", "3", "--scale", "none"];
    for (const name of ["many-out.csv", "many-out.parquet"]) {
      await run("fit", "many.csv", ...args, "--assignments", name, "--out", "many.st");
      const model = loadModel(readFileSync(at("many.st")));
      const found = (await query(`select n, a, b, cluster from '${at(name)}'`)).getRowsJson();
      const kept = rows.filter(([, a]) => a !== "");
      const clusters = model.predict(kept.map(([, a, b]) => [Number(a), Number(b)]));
      let next = 0;
      const expected = rows.map(([n, a]) => [String(n), a === "" ? null : String(clusters[next++])]);
      expect(found.map(([n, , , cluster]) => [n, cluster])).toEqual(expected);
    }
  });

  it("keep dates, decimals and lists of Parquet", async () => {
    const made = `select i::float as a, (7 - i)::float as b, date '2024-01-01' + i::int as day, [i, i] as pair,
      (i / 4)::decimal(5, 2) as price, {'x': i} as place from range(6) t(i)`;
    await query(`copy (${made}) to '${at("types.parquet")}'`);
    await run("fit", "types.parquet", "--features", "a,b", "--k", "2", "--assignments", "types-out.parquet");
    const [before, after] = await Promise.all(
      ["types", "types-out"].map((name) => query(`select day, pair, price, place from '${at(`${name}.parquet`)}'`)),
    );
    expect(after.columnTypes().map(String)).toEqual(before.columnTypes().map(String));
    expect(after.getRowsJson()).toEqual(before.getRowsJson());
    await run("fit", "types.parquet", "--features", "a,b", "--k", "2", "--assignments", "types-out.jsonl");
    expect(JSON.parse(lines("types-out.jsonl")[3])).toMatchObject({
      day: "2024-01-04",
      pair: [3, 3],
      price: 0.75,
      place: { x: 3 },
    });
  });

  it("of a query that samples are those that were fitted", async () => {
    const sql = "select i, i * (1 + random()) as a, 100 - i as b from range(500) t(i) using sample 200 rows";
    for (const name of ["sampled.csv", "sampled.parquet"]) {
      await run(
        "fit",
        "--sql",
        sql,
        "--features",
        "a,b",
        "--k",
        "3",
        "--scale",
        "none",
        "--method",
        "kmeans",
        "--assignments",
        name,
        "--out",
        "s.st",
      );
      const model = loadModel(readFileSync(at("s.st")));
      const rows = (
        await query(`select a::double, b::double, cluster::int from '${at(name)}'`)
      ).getRowsJson() as number[][];
      expect(rows.length).toBe(200);
      expect(rows.map((row) => row[2])).toEqual(Array.from(model.labels));
      expect(rows.map((row) => row[2])).toEqual(Array.from(model.predict(rows.map(([a, b]) => [a, b]))));
    }
  });

  it("may have columns called like properties of every object", async () => {
    writeFileSync(at("odd.csv"), "__proto__,constructor,a,b\nx,1,5,1\ny,2,0,2\nz,3,4,3\n");
    for (const name of ["odd-out.csv", "odd-out.jsonl", "odd-out.arrow", "odd-out.parquet"]) {
      await run("fit", "odd.csv", "--features", "a,b", "--k", "2", "--assignments", name);
    }
    expect(lines("odd-out.csv")[0]).toBe("__proto__,constructor,a,b,cluster,cosine,margin");
    expect(lines("odd-out.jsonl")[0]).toMatch(/^\{"__proto__":"x","constructor":1,"a":5,"b":1,/);
    expect([...(tableFromIPC(readFileSync(at("odd-out.arrow"))).getChild("__proto__") ?? [])]).toEqual(["x", "y", "z"]);
  });
});

describe("--columns", () => {
  it("none leaves the number and the cluster, as before", async () => {
    await run(...FIT, "--columns", "none", "--assignments", "none.csv");
    const { labels } = loadModel(readFileSync(at("m.st")));
    expect(read("none.csv")).toBe(`sample,cluster\n${Array.from(labels, (j, i) => `${i},${j}\n`).join("")}`);
  });

  it("names some", async () => {
    await run(...FIT, "--columns", "fruit,name", "--assignments", "some.csv");
    expect(lines("some.csv")[0]).toBe("fruit,name,cluster,cosine,margin");
    expect(lines("some.csv")[4]).toMatch(/^8\.50,lemonade,/);
  });

  it("refuses a name that is not there, and leaves nothing behind", async () => {
    const { code, stderr } = await runBonmf([...FIT, "--columns", "names", "--assignments", "bad.csv"], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('drinks.csv has no column "names" for --columns\nhint: did you mean name?');
    expect(readdirSync(cwd).filter((name) => name.startsWith("bad") || name.startsWith(".bonmf"))).toEqual([]);
  });
});

describe("what tells how a sample belongs to its cluster", () => {
  writeBlobs(at("blobs.csv"), 60, 4, 3);
  const rows = (name: string) => lines(name).map((line) => line.split(","));

  it("is the distance for k-means", async () => {
    const args = ["--label", "class", "--k", "3", "--scale", "none", "--out", "k.st"];
    await run("fit", "blobs.csv", ...args, "--method", "kmeans", "--assignments", "k.csv");
    const [head, ...found] = rows("k.csv");
    expect(head.slice(5)).toEqual(["cluster", "distance", "margin"]);
    const model = loadModel(readFileSync(at("k.st")));
    const distances = model.explain(found.map((row) => row.slice(0, 4).map(Number)));
    expect(found.map((row) => row.slice(6).map(Number))).toEqual(
      distances.map(({ distance }) => [distance?.own, distance?.margin]),
    );
  });

  it("is a weight in every cluster for methods that give them", async () => {
    const args = ["--label", "class", "--k", "3", "--scale", "none", "--out", "n.st"];
    await run("fit", "blobs.csv", ...args, "--method", "nmf", "--assignments", "n.csv");
    const [head, ...found] = rows("n.csv");
    expect(head.slice(5)).toEqual(["cluster", "cosine", "margin", "weight_0", "weight_1", "weight_2"]);
    const H = loadModel(readFileSync(at("n.st"))).transform(found.map((row) => row.slice(0, 4).map(Number)));
    expect(found.map((row) => row.slice(8).map(Number))).toEqual(found.map((_, i) => Array.from(H.row(i))));
  });

  it("stands after the number of a sample where the samples have no columns", async () => {
    writeFileSync(at("rows.npy"), writeNpy(Dense.from([[5, 1], [1, 5], [4, 1]]))); // biome-ignore format: three rows
    await run("fit", "rows.npy", "--k", "2", "--assignments", "npy.csv");
    expect(lines("npy.csv")[0]).toBe("sample,cluster,cosine,margin");
    expect(
      lines("npy.csv")
        .slice(1)
        .map((line) => line.split(",")[0]),
    ).toEqual(["0", "1", "2"]);
  });
});
