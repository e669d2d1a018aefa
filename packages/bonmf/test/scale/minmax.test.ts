import { expect, it } from "vitest";
import { Dense } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fitScaler } from "../../src/scale/scaler.js";

const X = Dense.from(
  [
    [-1, 2, 7],
    [-0.5, 6, 7],
    [0, 10, 7],
    [1, 18, 7],
  ],
  "f64",
);

// X = np.array([[-1, 2, 7], [-0.5, 6, 7], [0, 10, 7], [1, 18, 7]]); s = MinMaxScaler().fit(X)
// s.transform(X).tolist(), s.transform([[2, 3, 7]]).tolist()  # scikit-learn 1.9.1
it("agrees with scikit-learn", () => {
  const scaler = fitScaler("minmax", X);
  expect(scaler.transform(X)).toEqual(
    Dense.from(
      [
        [0, 0, 0],
        [0.25, 0.25, 0],
        [0.5, 0.5, 0],
        [1, 1, 0],
      ],
      "f64",
    ),
  );
  expect(scaler.transform(Dense.from([[2, 3, 7]], "f64"))).toEqual(Dense.from([[1.5, 0.0625, 0]], "f64"));
});

it("clips new values below the minimum, not above the maximum, and keeps a constant feature at 0", () => {
  const scaler = fitScaler("minmax", X);
  expect([...scaler.transform(Dense.from([[-9, 34, 100]])).toDense().data]).toEqual([0, 2, 0]);
});

it("has the inverse z · range + min, and the constant for a constant feature", () => {
  expect([...fitScaler("minmax", X).inverse(Dense.from([[0.5, 1, 0]])).data]).toEqual([0, 18, 7]);
});

it("takes the range from samples of weight above 0 alone, however small", () => {
  const rows = Dense.from([[9], [4], [0], [5]], "f64");
  const { min, range } = fitScaler("minmax", rows, Float64Array.of(0, 1e20, 1, 1)).state();
  expect([min[0], range[0]]).toEqual([0, 5]);
});

it("keeps sparse samples sparse, and their indices, unless a feature goes below 0", () => {
  const counts = Sparse.from(
    [
      [
        [0, 2],
        [2, 5],
      ],
      [[0, 4]],
    ],
    3,
  );
  const Z = fitScaler("minmax", counts).transform(counts) as Sparse;
  expect(Z.kind).toBe("sparse");
  expect(Z.indices).toBe(counts.indices);
  expect([...Z.toDense().data]).toEqual([0, 0, 1, 1, 0, 0]);
  const signed = Sparse.from([[[0, -2]], [[1, 4]]], 2);
  expect(fitScaler("minmax", signed).transform(signed)).toEqual(
    Dense.from([
      [0, 0],
      [1, 1],
    ]),
  );
});
