import { gzipSync } from "node:zlib";
import { Dense, Sparse, writeLibsvm, writeMatrixMarket, writeNpy } from "bonmf";
import { describe, expect, it } from "vitest";
import type { ReadOptions } from "../../../src/read/data.js";
import { readData, readParts } from "../../../src/read/read.js";
import { failure, foreign, makeFolder, rowsOf } from "../fixture.js";

const folder = makeFolder();
const dense = [
  [5, 0, 1],
  [0, 2.5, 0],
];
const like = (count: number, more: object = {}): ReadOptions => ({
  like: { features: null, count, recipe: { kind: "libsvm", ...more } },
});

describe("LIBSVM", () => {
  it("comes back as it was written, plain and gzipped, labels as numbers", async () => {
    const text = writeLibsvm({ X: Sparse.fromDense(Dense.from(dense)), labels: ["+1", "-1"] });
    for (const path of [folder.put("a.svm", text), folder.put("a.svm.gz", gzipSync(text))]) {
      const data = await readData([path], {});
      expect(data).toMatchObject({ kind: "libsvm", labels: [1, -1], features: null, ids: null });
      expect(data.X.kind).toBe("sparse");
      expect(rowsOf(data.X)).toEqual(dense);
    }
  });

  it("takes labels that are all 0 for none", async () => {
    expect((await readData([folder.put("b.svm", writeLibsvm({ X: Dense.from(dense) }))], {})).labels).toBeNull();
  });

  it("counts indices from 0 in all files when one of them does", async () => {
    const paths = [folder.put("c1.svm", "a 1:2\n"), folder.put("c2.svm", "b 0:3 2:1\n")];
    const data = await readData(paths, {});
    expect(rowsOf(data.X)).toEqual([
      [0, 2, 0],
      [3, 0, 1],
    ]);
    expect(data).toMatchObject({ labels: ["a", "b"], recipe: { zeroBased: true } });
    const later = await readData([paths[0]], like(3, { zeroBased: true }));
    expect(rowsOf(later.X)).toEqual([[0, 2, 0]]);
  });

  it("has the width of the model, and says when it has more", async () => {
    const path = folder.put("d.svm", "1 1:1\n0 3:2\n");
    const rows = async (options: object) => rowsOf((await readData([path], options)).X);
    expect(await rows(like(4))).toEqual([[1, 0, 0, 0], [0, 0, 2, 0]]); // biome-ignore format: a matrix
    const { X, notes } = await readData([path], like(2));
    expect(rowsOf(X)).toEqual([[1, 0], [0, 0]]); // biome-ignore format: a matrix
    expect(notes).toEqual([`${path} has features beyond the 2 of the model, which does not use them`]);
    const parts = [];
    for await (const part of readParts([path], like(2), 1)) parts.push(...rowsOf(part.X));
    expect(parts).toEqual(rowsOf(X));
    expect(await failure(readData([path], { ...like(2), strict: true }))).toMatchObject({
      message: `${path} has 3 features, but the model was fitted on 2`,
    });
  });

  it("has as many features as --width says", async () => {
    const path = folder.put("w.svm", "1 1:1\n0 3:2\n");
    expect((await readData([path], { width: 5 })).X.features).toBe(5);
    for await (const { X } of readParts([path], { width: 5 }, 1)) expect(X.features).toBe(5);
    expect((await failure(readData([path], { width: 2 }))).message).toContain('w.svm, line 2: "3:2" is beyond the 2');
    expect((await failure(readData([path], { ...like(3), width: 2 }))).message).toBe(
      "--width is 2, but the model has 3 features",
    );
    expect((await failure(readData([folder.put("w.csv", "a\n1\n")], { width: 2 }))).message).toMatch(
      /--width is for LIBSVM files, but .*w.csv is csv/,
    );
  });

  it("streams in parts, with the line of an error counted from the file's first", async () => {
    const lines = Array.from({ length: 25 }, (_, i) => (i % 5 === 0 ? "# nothing" : `${i % 3} ${1 + (i % 4)}:${i}`));
    const path = folder.put("e.svm", lines.join("\n"));
    const whole = await readData([path], like(4));
    const parts = [];
    for await (const part of readParts([path], like(4), 7)) parts.push(part);
    expect(parts.map(({ X }) => X.samples)).toEqual([5, 6, 5, 4]);
    expect(parts.flatMap(({ X }) => rowsOf(X))).toEqual(rowsOf(whole.X));
    expect(parts.flatMap(({ labels }) => labels)).toEqual(whole.labels);
    const alone = [];
    for await (const part of readParts([path], {}, 7)) alone.push(part);
    expect(alone.flatMap(({ X }) => rowsOf(X))).toEqual(rowsOf((await readData([path], {})).X));
    expect(alone.flatMap(({ labels }) => labels)).toEqual(whole.labels);
    const bad = folder.put("f.svm", `${"1 1:1\n".repeat(20)}1 x:1\n`);
    const run = async () => {
      for await (const part of readParts([bad], like(1), 6)) expect(part.X.samples).toBe(6);
    };
    expect((await failure(run())).message).toMatch(/f\.svm, line 21: "x:1" is not index:value/);
  });

  it("refuses --label, as its labels are in the file", async () => {
    const path = folder.put("g.svm", "1 1:1\n");
    expect(await failure(readData([path], { label: "class" }))).toMatchObject({
      message: `--label is for tables (CSV, JSON lines, Parquet, Arrow and ARFF), but ${path} is a LIBSVM file`,
      hint: "a LIBSVM file has its labels at the beginning of the lines: omit --label",
    });
  });
});

describe("ARFF", () => {
  const text = "@relation r\n@attribute a numeric\n@attribute b real\n@attribute kind {x,y}\n@data\n1,2,x\n3,4,y\n";
  const path = folder.put("a.arff", text);

  it("has names, and the last attribute as label if it is nominal", async () => {
    const data = await readData([path], {});
    expect(data).toMatchObject({ kind: "arff", features: ["a", "b"], labels: ["x", "y"] });
    expect(rowsOf(data.X)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it("takes the label and the features that are asked for", async () => {
    const numeric = folder.put("b.arff", text.replace("{x,y}", "numeric").replace("2,x", "2,7").replace("4,y", "4,8"));
    const data = await readData([numeric], { label: "b", exclude: ["a"] });
    expect(data).toMatchObject({ features: ["kind"], labels: [2, 4] });
    expect(rowsOf(data.X)).toEqual([[7], [8]]);
    expect((await readData([numeric], { features: ["kind", "a"] })).features).toEqual(["kind", "a"]);
    expect(await failure(readData([numeric], { label: "knd" }))).toMatchObject({
      message: `${numeric} has no column "knd" for --label`,
    });
    expect(await failure(readData([numeric], { exclude: ["kin"] }))).toMatchObject({
      message: `${numeric} has no column "kin" for --exclude`,
      hint: "did you mean kind?",
    });
  });

  it("with categories and missing values is read as a table, and says how", async () => {
    const mixed = folder.put(
      "c.arff",
      "@relation r\n@attribute 'a b' numeric\n@attribute colour {red, 'dark \\'blue\\''}\n@attribute day date\n" +
        "@attribute kind {x,y}\n@data\n% note\n1,red,2020-01-01,x\n?,'dark \\'blue\\'','2020, later',y\n",
    );
    const options = { oneHot: ["colour"], exclude: ["day"], missing: "zero" } as const;
    const data = await readData([mixed], options);
    expect(data).toMatchObject({
      kind: "arff",
      features: ["a b", "colour=dark 'blue'", "colour=red"],
      labels: ["x", "y"],
      recipe: { kind: "arff", categories: { colour: ["dark 'blue'", "red"] } },
    });
    expect(rowsOf(data.X)).toEqual([
      [1, 0, 1],
      [0, 1, 0],
    ]);
    const gap = folder.put(
      "e.arff",
      text.replace("1,2", "1,?").replace("@attribute kind {x,y}\n", "").replace(/,[xy]/g, ""),
    );
    expect(await failure(readData([gap], { strict: true }))).toMatchObject({
      message: `${gap}, line 5, column "b": the value is missing`,
    });
    expect(rowsOf((await readData([gap], { missing: "mean", strict: true })).X)).toEqual([
      [1, 4],
      [3, 4],
    ]);
  });

  it.each([
    ["1,2,x,9\n", "line 6: the row has 4 values but there are 3 attributes"],
    ["1,z,x\n", 'line 6, attribute "b": "z" is not a number'],
    ["1,2,'x\n", "line 6: a quote is opened and not closed"],
  ])("names the line of %j", async (row, message) => {
    const bad = folder.put("f.arff", text.replace(/1,2,x\n[\s\S]*/, row));
    expect((await failure(readData([bad], {}))).message).toBe(`${bad}, ${message}`);
  });

  it("of sparse rows is read as it is", async () => {
    const sparse = folder.put("s.arff", text.replace(/1,2,x\n[\s\S]*/, "{1 5, 2 y}\n{0 3}\n"));
    const data = await readData([sparse], {});
    expect(data).toMatchObject({ kind: "arff", X: { kind: "sparse" }, features: ["a", "b"], labels: ["y", "x"] });
    expect((await failure(readData([sparse], { missing: "zero" }))).message).toBe(
      `${sparse}: its rows are sparse, and such files are read only as they are`,
    );
  });

  it("may come in several files and in parts, with the original columns beside", async () => {
    const more = folder.put("g.arff", text.replace("1,2,x", "5,?,y"));
    const data = await readData([path, more], {});
    expect(data.labels).toEqual(["x", "y", "y", "y"]);
    expect(rowsOf(data.X)[2]).toEqual([5, 4]);
    const parts = [];
    for await (const part of readParts([path, more], {}, 3)) parts.push(part);
    expect(parts.map(({ X }) => X.samples)).toEqual([3, 1]);
    expect(parts.flatMap(({ X }) => rowsOf(X))).toEqual(rowsOf(data.X));
  });

  it("brings features into the model's order, and lists those that differ", async () => {
    const options = (features: string[]): ReadOptions => ({
      like: { features, count: features.length, recipe: { kind: "arff" } },
    });
    expect(rowsOf((await readData([path], options(["b", "a"]))).X)).toEqual([
      [2, 1],
      [4, 3],
    ]);
    expect((await failure(readData([path], options(["b", "c"])))).message).toBe(
      `${path} has other features than the model: it lacks "c"; it has besides "a"`,
    );
  });
});

describe("NPY and Matrix Market", () => {
  it("come back as they were written", async () => {
    const npy = await readData([folder.put("a.npy", writeNpy(Dense.from(dense, "f64")))], {});
    expect(npy).toMatchObject({ kind: "npy", labels: null, features: null });
    expect(npy.X.precision).toBe("f32");
    expect(rowsOf(npy.X)).toEqual(dense);
    const text = writeMatrixMarket(Sparse.fromDense(Dense.from(dense)));
    const market = await readData([folder.put("a.mtx.gz", gzipSync(text))], {});
    expect(market.X.kind).toBe("sparse");
    expect(rowsOf(market.X)).toEqual(dense);
    expect(rowsOf((await readData([folder.put("f.npy", foreign("fortran.npy"))], {})).X)).toEqual(dense);
  });

  it("flatten pictures, and remember their size", async () => {
    const data = await readData([folder.put("cube.npy", foreign("cube.npy"))], {});
    expect(rowsOf(data.X)[1]).toEqual(Array.from({ length: 12 }, (_, p) => 12 + p));
    expect(data.recipe).toEqual({ kind: "npy", image: { width: 4, height: 3 } });
  });

  it("are joined where they fit, and refused where not", async () => {
    const [a, b] = [
      folder.put("j1.npy", writeNpy(Dense.from(dense))),
      folder.put("j2.npy", writeNpy(Dense.from([[7, 8, 9]]))),
    ];
    expect(rowsOf((await readData([`${folder.path}/j[12].npy`], {})).X)).toEqual([...dense, [7, 8, 9]]);
    const c = folder.put("j3.npy", writeNpy(Dense.from([[1]])));
    expect((await failure(readData([a, b, c], {}))).message).toBe(`${a} has 3 features but ${c} has 1`);
  });

  it("are cut into parts", async () => {
    const path = folder.put("parts.npy", writeNpy(Dense.from([[1], [2], [3], [4], [5]])));
    const parts = [];
    for await (const { X } of readParts([path], {}, 2)) parts.push(rowsOf(X));
    expect(parts).toEqual([[[1], [2]], [[3], [4]], [[5]]]);
    const bad = folder.put("bad.npy", writeNpy(Dense.from([[1], [2], [3], [Number.NaN], [5]])));
    const run = async () => {
      for await (const { X } of readParts([bad], {}, 2)) expect(X.samples).toBe(2);
    };
    expect((await failure(run())).message).toBe(`${bad}, sample 4, feature 1: the value is missing (NaN)`);
  });

  it("say when they are cut short", async () => {
    const path = folder.put("cut.npy", writeNpy(Dense.from(dense)).subarray(0, 140));
    expect((await failure(readData([path], {}))).message).toMatch(/cut short or damaged/);
    const gz = folder.put("cut.mtx.gz", gzipSync(writeMatrixMarket(Dense.from(dense))).subarray(0, -6));
    expect(await failure(readData([gz], {}))).toMatchObject({
      name: "UserError",
      message: `${gz}: the gzip file ends too early: it is cut short`,
    });
  });
});

describe("missing values", () => {
  const path = folder.put(
    "nan.npy",
    writeNpy(
      Dense.from([
        [1, Number.NaN],
        [3, 4],
        [5, 8],
      ]),
    ),
  );

  it("are filled by the median, or with --strict an error that names the place and the remedy", async () => {
    const { X, notes } = await readData([path], {});
    expect(rowsOf(X)[0]).toEqual([1, 4]);
    expect(notes).toEqual(["1 missing value was set to the median of its feature"]);
    expect(await failure(readData([path], { strict: true }))).toMatchObject({
      name: "UserError",
      message: `${path}, sample 1, feature 2: the value is missing (NaN)`,
      hint: "fill or drop missing values with --missing median, mean, zero or drop",
    });
  });

  it("are filled or dropped as asked", async () => {
    expect(rowsOf((await readData([path], { missing: "zero" })).X)[0]).toEqual([1, 0]);
    const mean = await readData([path], { missing: "mean" });
    expect(rowsOf(mean.X)[0]).toEqual([1, 6]);
    expect(mean.recipe.fills).toEqual({ 1: 6 });
    expect(mean.notes).toEqual(["1 missing value was set to the mean of its feature"]);
    const later = { features: null, count: 2, recipe: { kind: "npy", fills: { 1: 40 } } } as const;
    expect(rowsOf((await readData([path], { missing: "mean", like: later })).X)[0]).toEqual([1, 40]);
    const dropped = await readData([path], { missing: "drop" });
    expect(dropped.notes).toEqual(["1 sample with missing values was dropped"]);
    expect(rowsOf(dropped.X)).toEqual([
      [3, 4],
      [5, 8],
    ]);
  });
});
