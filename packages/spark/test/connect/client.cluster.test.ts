// Against a real Spark Connect server, whose address is in SPARK_CONNECT_URL.
import { randomUUID } from "node:crypto";
import { Field, Float64, Int32, List, makeData, Table, tableFromArrays, Vector, vectorFromArray } from "apache-arrow";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAddress } from "../../src/connect/address.js";
import { encodeTable } from "../../src/connect/arrow.js";
import { cacheArtifact } from "../../src/connect/artifact.js";
import { drain } from "../../src/connect/execution.js";
import { connect, type Session } from "../../src/connect/index.js";
import { Link } from "../../src/connect/link.js";
import { LocalRelation } from "../../src/connect/messages.js";
import { openProxy } from "./proxy.js";

const url = process.env.SPARK_CONNECT_URL ?? "";
const FOREVER = "select count(*) from range(100000000000000)";

/** The address with other parameters, or by another way. */
function connectDaemon(parameters: string, target?: string): string {
  const [head, ...rest] = url.split("/;");
  return `${target === undefined ? head : `sc://${target}`}/;${[...rest, parameters].filter(Boolean).join(";")}`;
}

describe("a session on Spark", () => {
  let session: Session;
  beforeAll(async () => {
    session = await connect(url);
  });
  afterAll(() => session?.close());

  it("knows the version", async () => expect(await session.version()).toMatch(/^4\.\d+\.\d+/));

  it("brings rows of every common type", async () => {
    const rows = await session.collect(`
      select id, cast(id as int) i, id * 1.5d x, cast(1.25 as float) f, cast(-id as decimal(10, 2)) d, 'x' s,
        true t, X'0102' b, array(1, null) a, struct(1 as p, array('z') as q) st, map('k', id) m,
        date'2020-02-29' dt, timestamp'2020-01-02 03:04:05.678Z' ts, cast(null as string) n
      from range(1, 3) order by id`);
    const fixed = {
      f: 1.25,
      s: "x",
      t: true,
      b: Uint8Array.of(1, 2),
      a: [1, null],
      st: { p: 1, q: ["z"] },
      dt: new Date("2020-02-29"),
      ts: new Date("2020-01-02T03:04:05.678Z"),
      n: null,
    };
    expect(rows).toEqual([
      { id: 1n, i: 1, x: 1.5, d: "-1.00", m: new Map([["k", 1n]]), ...fixed },
      { id: 2n, i: 2, x: 3, d: "-2.00", m: new Map([["k", 2n]]), ...fixed },
    ]);
  });

  it("fills in parameters by name and by place, and leaves no way in for SQL", async () => {
    const args = { a: 1, b: 2 ** 40, c: 1.5, d: "it's; drop table", e: null, f: -7n, g: false, h: Uint8Array.of(9) };
    const names = Object.keys(args);
    const [row] = await session.collect(`select ${names.map((name) => `:${name} as ${name}`)}`, { args });
    expect(row).toEqual({ ...args, b: 2n ** 40n });
    const types = await session.schema("select ? a, ? b, ? c, ? d", { args: [1, 2 ** 40, -0, Number.NaN] });
    expect(types.map(({ type }) => type)).toEqual(["int", "bigint", "double", "double"]);
    expect(await session.collect("select ? x", { args: [-0] })).toEqual([{ x: -0 }]);
  });

  it("tells the types of columns", async () => {
    const query = `select id, array(1.5d) v, struct(1 as p, 'a' as q) st, map('a', array(1)) m, cast(1 as decimal(5, 1)) d,
      cast(null as string) s, date'2020-01-01' dt, timestamp_ntz'2020-01-01' n, X'00' b, 1Y y from range(1)`;
    expect(await session.schema(query)).toEqual([
      { name: "id", type: "bigint", nullable: false },
      { name: "v", type: "array<double>", nullable: false },
      { name: "st", type: "struct<p:int,q:string>", nullable: false },
      { name: "m", type: "map<string,array<int>>", nullable: false },
      { name: "d", type: "decimal(5,1)", nullable: true },
      { name: "s", type: "string", nullable: true },
      { name: "dt", type: "date", nullable: false },
      { name: "n", type: "timestamp_ntz", nullable: false },
      { name: "b", type: "binary", nullable: false },
      { name: "y", type: "tinyint", nullable: false },
    ]);
  });

  it("streams many batches in order, and an empty result as none", async () => {
    let next = 0n;
    let batches = 0;
    for await (const batch of session.sql("select id, repeat('x', 50) pad from range(0, 200000, 1, 4) order by id")) {
      batches++;
      for (const id of batch.getChildAt(0)!.toArray()) if (id !== next++) throw new Error(`${id} out of order`);
    }
    expect(next).toBe(200_000n);
    expect(batches).toBeGreaterThan(3);
    expect(await session.collect("select id from range(0)")).toEqual([]);
  });

  it("runs statements once", async () => {
    await session.run("create temporary view small as select id from range(5)");
    expect(await session.collect("select sum(id) s from small")).toEqual([{ s: 10n }]);
    await expect(session.run("create temporary view small as select 1")).rejects.toMatchObject({
      errorClass: "TEMP_TABLE_OR_VIEW_ALREADY_EXISTS",
    });
    expect(await session.collect("show views like 'small'")).toMatchObject([{ viewName: "small" }]);
  });

  it("keeps settings", async () => {
    expect(await session.config("spark.sql.shuffle.partitions", "7")).toBe("7");
    expect(await session.config("spark.sql.shuffle.partitions")).toBe("7");
    expect(await session.config("spark.no.such.setting")).toBeUndefined();
    await expect(session.config("spark.sql.shuffle.partitions", "many")).rejects.toMatchObject({ name: "SparkError" });
  });

  it("makes a view of a table, again and again", async () => {
    await session.uploadView("words", tableFromArrays({ word: ["a", "b", "a"], n: Int32Array.of(1, 2, 3) }));
    const query = "select word, cast(sum(n) as int) n from words group by word order by word";
    expect(await session.collect(query)).toEqual([
      { word: "a", n: 4 },
      { word: "b", n: 2 },
    ]);
    await session.uploadView("words", tableFromArrays({ word: ["c"], n: Int32Array.of(9) }));
    expect(await session.collect(query)).toEqual([{ word: "c", n: 9 }]);
  });

  it("pins rows, and does not make them again", async () => {
    await session.pinView("held", "select /*+ REPARTITION(3) */ id, uuid() u from range(:n)", { args: { n: 10 } });
    const look = () => session.collect("select id, u, spark_partition_id() p from held order by id");
    const rows = await look();
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, id) => BigInt(id)));
    expect(new Set(rows.map(({ p }) => p)).size).toBe(3);
    expect(await look()).toEqual(rows);
  });

  it("takes a matrix of 10 MB in one piece", async () => {
    await session.uploadView("matrix", makeMatrix(100, 13_107));
    const [row] = await session.collect("select count(*) n, sum(aggregate(w, 0d, (a, x) -> a + x)) s from matrix");
    expect(row).toEqual({ n: 100n, s: (1_310_700 * 1_310_699) / 4 });
  });

  it("takes what is too large for one message in pieces", async () => {
    const link = new Link(parseAddress(url), session.id, 0);
    const data = encodeTable(makeMatrix(50, 1_000));
    const hash = await cacheArtifact(link, LocalRelation.encode({ data }), {});
    const view = { input: { cachedLocalRelation: { hash } }, name: "pieces", replace: true };
    await drain(link, { command: { createDataframeView: view } }, undefined);
    link.close();
    const [row] = await session.collect("select count(*) n, sum(aggregate(w, 0d, (a, x) -> a + x)) s from pieces");
    expect(row).toEqual({ n: 50n, s: (50_000 * 49_999) / 4 });
  });

  it.each([
    ["a missing table", "select * from no_such_table", "missing", "TABLE_OR_VIEW_NOT_FOUND"],
    ["a missing path", "select * from parquet.`/no/such/path`", "missing", "PATH_NOT_FOUND"],
    ["a missing column", "select nope from range(1)", "analysis", /^UNRESOLVED_COLUMN/],
    ["bad syntax", "selec 1", "analysis", "PARSE_SYNTAX_ERROR"],
    ["wrong types", "select sum(array(1))", "analysis", /^DATATYPE_MISMATCH/],
    ["a failure while it runs", "select raise_error('boom') from range(2)", "spark", "USER_RAISED_EXCEPTION"],
  ])("tells %s in one line", async (_, query, code, errorClass) => {
    const error = await session.collect(query).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "SparkError", code, errorClass: expect.stringMatching(errorClass) });
    expect((error as Error).message).toMatch(/^\[[\w.]+\] [^\n]+$/);
  });

  it("sends files to the executors, whole", async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => 33 + (i % 90));
    const path = await session.addFile("letters.txt", bytes);
    const script = `cat > /dev/null; wc -c < ${path}; tail -c 5 ${path}`;
    const rows = await session.collect(
      `select transform(id) using '${script}' as (line string) from range(0, 2, 1, 2)`,
    );
    const tail = new TextDecoder().decode(bytes.subarray(-5));
    expect(rows.map(({ line }) => line)).toEqual(["100000", tail, "100000", tail]);
    expect(await session.addFile("letters.txt", bytes)).toBe(path);
    await expect(session.addFile("letters.txt", Uint8Array.of(1))).rejects.toMatchObject({
      errorClass: "ARTIFACT_ALREADY_EXISTS",
    });
  });

  it("goes on with a result when its connection is cut", async () => {
    const { host, port } = parseAddress(url);
    const proxy = await openProxy(host.replace(/^\[|\]$/g, ""), port);
    const far = await connect(connectDaemon("", `127.0.0.1:${proxy.port}`));
    try {
      let next = 0n;
      for await (const batch of far.sql("select id, repeat('x', 50) pad from range(0, 200000, 1, 4) order by id")) {
        if (next === 0n) proxy.cutAfter(2_000_000);
        for (const id of batch.getChildAt(0)!.toArray()) if (id !== next++) throw new Error(`${id} out of order`);
      }
      expect(next).toBe(200_000n);
      expect(proxy.connections).toBeGreaterThan(1);
      proxy.cut();
      expect(await far.collect("select 1 one")).toEqual([{ one: 1 }]);
    } finally {
      await far.close();
      proxy.close();
    }
  });

  it("stops the work on the server when the signal aborts", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const work = session.collect(FOREVER, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 500);
    await expect(work).rejects.toBe(reason);
    // One core is enough for the next query only when the last one has left it.
    expect(await session.collect("select count(*) n from range(0, 10, 1, 8)")).toEqual([{ n: 10n }]);
  });

  it("interrupts everything that runs", async () => {
    const work = session.collect(FOREVER).catch((error: unknown) => error);
    const turn = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 300));
    // Again until it is heard: a query that has not arrived yet cannot be interrupted.
    while ((await Promise.race([work, turn()])) === undefined) await session.interrupt();
    expect(await work).toMatchObject({ name: "SparkError", errorClass: "OPERATION_CANCELED" });
  });

  it("is gone when the server has dropped it", async () => {
    const id = randomUUID();
    const mine = await connect(connectDaemon(`session_id=${id}`));
    const other = await connect(connectDaemon(`session_id=${id}`));
    expect(mine.serverId).toBe(other.serverId);
    await other.close();
    await expect(mine.collect("select 1")).rejects.toMatchObject({
      code: "session-gone",
      errorClass: expect.stringMatching(/^INVALID_HANDLE\./),
    });
    await expect(mine.version()).rejects.toMatchObject({ code: "session-gone" });
    await mine.close();
  });
});

/** rows × columns of 0, 0.5, 1 … in one array column. */
function makeMatrix(rows: number, columns: number): Table {
  const data = Float64Array.from({ length: rows * columns }, (_, i) => i / 2);
  const valueOffsets = Int32Array.from({ length: rows + 1 }, (_, row) => row * columns);
  const type = new List(new Field("item", new Float64(), false));
  const child = makeData({ type: new Float64(), length: data.length, nullCount: 0, data });
  const w = new Vector([makeData({ type, length: rows, nullCount: 0, valueOffsets, child })]);
  return new Table({
    k: vectorFromArray(
      Array.from({ length: rows }, (_, row) => row),
      new Int32(),
    ),
    w,
  });
}
