import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError, OptionError } from "../../src/errors.js";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { bits, dense, randomRows } from "../synthetic.js";

const u32 = (...values: number[]) => Uint32Array.from(values);
const f64 = (...values: number[]) => Float64Array.from(values);

/** [[0, 5, 0], [0, 0, 0], [7, 0, 9]] */
const X = new Sparse(3, 3, u32(0, 1, 1, 3), u32(1, 0, 2), f64(5, 7, 9));

const grid = fc.record({ n: fc.integer({ min: 1, max: 8 }), m: fc.integer({ min: 1, max: 6 }) }).chain(({ n, m }) =>
  fc.array(fc.array(fc.constantFrom(0, 0, 1, 2.5, -3), { minLength: m, maxLength: m }), {
    minLength: n,
    maxLength: n,
  }),
);

describe("Sparse", () => {
  it("reads what is stored, and zeros elsewhere", () => {
    expect([X.at(0, 1), X.at(0, 0), X.at(0, 2), X.at(1, 1), X.at(2, 0), X.at(2, 1), X.at(2, 2)]).toEqual([
      5, 0, 0, 0, 7, 0, 9,
    ]);
    expect([...X.row(2)]).toEqual([7, 0, 9]);
    const seen: number[][] = [];
    for (let i = 0; i < 3; i++) X.each(i, (feature, value) => seen.push([i, feature, value]));
    expect(seen).toEqual([
      [0, 1, 5],
      [2, 0, 7],
      [2, 2, 9],
    ]);
    expect([X.kind, X.precision]).toEqual(["sparse", "f64"]);
  });

  it("goes to dense and back", () => {
    fc.assert(
      fc.property(grid, fc.constantFrom("f32" as const, "f64" as const), (rows, precision) => {
        const D = Dense.from(rows, precision);
        const S = Sparse.fromDense(D);
        expect(S.values.every((value) => value !== 0)).toBe(true);
        expect(bits(S.toDense().data)).toBe(bits(D.data));
        expect(S.precision).toBe(precision);
        rows.forEach((row, i) => {
          expect([...S.row(i)]).toEqual([...D.row(i)]);
          row.forEach((_, f) => {
            expect(S.at(i, f)).toBe(D.at(i, f));
          });
        });
      }),
    );
  });

  it("takes and slices as dense does", () => {
    fc.assert(
      fc.property(grid, fc.array(fc.nat(), { maxLength: 6 }), fc.nat(), fc.nat(), (rows, picks, a, b) => {
        const D = dense(rows);
        const S = Sparse.fromDense(D);
        const ids = picks.map((p) => p % rows.length);
        expect(bits(S.take(ids).toDense().data)).toBe(bits(D.take(ids).data));
        const [from, to] = [a % (rows.length + 1), b % (rows.length + 1)].sort((x, y) => x - y);
        const part = S.slice(from, to);
        expect(bits(part.toDense().data)).toBe(bits(D.slice(from, to).data.slice()));
        expect(part.offsets[0]).toBe(0);
      }),
    );
  });

  it("slices values without copying them", () => {
    const S = Sparse.fromDense(dense(randomRows(1, 5, 4)));
    expect(S.slice(2, 4).values.buffer).toBe(S.values.buffer);
  });

  it("is made from pairs in any order, without zeros", () => {
    const S = Sparse.from(
      [
        [
          [2, 3],
          [0, 1],
        ],
        [],
        new Map([
          [1, 0],
          [3, 4],
        ]),
      ],
      4,
    );
    expect([...S.toDense().data]).toEqual([1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 4]);
    expect(S.values).toBeInstanceOf(Float32Array);
    expect(S.values.length).toBe(3);
    expect(Sparse.from([], 4).samples).toBe(0);
  });

  it("refuses arrays that do not fit", () => {
    const shape = /sparse arrays do not fit: 1 samples need 2 offsets/;
    expect(() => new Sparse(1, 2, u32(0), u32(), f64())).toThrow(shape);
    expect(() => new Sparse(1, 2, u32(1, 1), u32(0), f64(1))).toThrow(shape);
    expect(() => new Sparse(1, 2, u32(0, 2), u32(0), f64(1))).toThrow(shape);
    expect(() => new Sparse(1, 2, u32(0, 1), u32(0, 1), f64(1))).toThrow(shape);
    expect(() => new Sparse(2, 2, u32(0, 2, 1), u32(0), f64(1))).toThrow(/sample 0 ends before it begins/);
    expect(() => new Sparse(3, 2, u32(0, 1, 0, 1), u32(0), f64(1))).toThrow(/sample 1 ends before it begins/);
  });

  it("refuses indices that do not rise or do not exist", () => {
    const failure = (work: () => unknown): DataError => {
      try {
        work();
      } catch (error) {
        return error as DataError;
      }
      throw new Error("nothing was thrown");
    };
    const repeated = failure(() => new Sparse(2, 3, u32(0, 1, 3), u32(0, 1, 1), f64(1, 2, 3)));
    expect(repeated).toBeInstanceOf(DataError);
    expect(repeated.message).toMatch(/sample 1 names feature 1, but it follows feature 1: indices must rise/);
    expect([repeated.code, repeated.place]).toEqual(["index", { sample: 1, feature: 1 }]);
    const beyond = failure(() => new Sparse(1, 3, u32(0, 1), u32(3), f64(1)));
    expect(beyond.message).toMatch(/sample 0 names feature 3, but there are only 3 features/);
    expect(() => Sparse.from([[[1.5, 2]]], 4)).toThrow(OptionError);
    expect(() => Sparse.from([[[-1, 2]]], 4)).toThrow(/feature -1 is not an index/);
    expect(() => Sparse.from([[[4, 2]]], 4)).toThrow(/there are only 4 features/);
    expect(() => Sparse.from([[[2 ** 32, 2]]], 4)).toThrow(/feature 4294967296/);
  });
});
