import { describe, expect, it } from "vitest";
import { Dense } from "../../src/matrix/dense.js";
import type { Matrix } from "../../src/matrix/matrix.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { fitScaler } from "../../src/scale/scaler.js";

// X = np.array([[3, 0, 1], [2, 0, 0], [3, 0, 0], [4, 0, 0], [3, 2, 0], [3, 0, 2]])
// t = TfidfTransformer().fit(X); t.idf_.tolist(); t.transform(X).toarray().tolist()  # scikit-learn 1.9.1
// t.transform([[0, 0, 0], [0, 1, 5]]).toarray().tolist()
const X = Dense.from(
  [
    [3, 0, 1],
    [2, 0, 0],
    [3, 0, 0],
    [4, 0, 0],
    [3, 2, 0],
    [3, 0, 2],
  ],
  "f64",
);
const idf = [1.0, 2.252762968495368, 1.8472978603872037];
const expected = [
  [0.85151334721046, 0.0, 0.5243329281310096],
  [1.0, 0.0, 0.0],
  [1.0, 0.0, 0.0],
  [1.0, 0.0, 0.0],
  [0.5542289327998063, 0.8323642772534078, 0.0],
  [0.63035730725644, 0.0, 0.7763051366495072],
];
const fresh = [
  [0, 0, 0],
  [0.0, 0.23695227857139006, 0.97152129038937],
];

function expectRows(Z: Matrix, rows: number[][]): void {
  rows.flat().forEach((z, p) => {
    expect(Z.toDense().data[p]).toBeCloseTo(z, 14);
  });
}

describe.each<[string, Matrix]>([
  ["dense", X],
  ["sparse", Sparse.fromDense(X)],
])("%s samples", (kind, X) => {
  it("agree with scikit-learn", () => {
    const scaler = fitScaler("tfidf", X);
    scaler.state().idf.forEach((value, f) => {
      expect(value).toBeCloseTo(idf[f], 14);
    });
    const Z = scaler.transform(X);
    expect(Z.kind).toBe(kind);
    expectRows(Z, expected);
    expectRows(
      scaler.transform(
        Dense.from(
          [
            [0, 0, 0],
            [0, 1, 5],
          ],
          "f64",
        ),
      ),
      fresh,
    );
  });
});

it("shares the indices of sparse samples", () => {
  const sparse = Sparse.fromDense(X);
  expect((fitScaler("tfidf", sparse).transform(sparse) as Sparse).indices).toBe(sparse.indices);
});

it("does not count zeros that are stored", () => {
  const stored = new Sparse(2, 1, Uint32Array.of(0, 1, 2), Uint32Array.of(0, 0), Float64Array.of(0, 3));
  expect(fitScaler("tfidf", stored).state()).toEqual(fitScaler("tfidf", Dense.from([[0], [3]], "f64")).state());
});

it("ignores samples of weight 0", () => {
  const weights = Float64Array.of(1, 1, 1, 1, 1, 0);
  expect(fitScaler("tfidf", X, weights).state()).toEqual(fitScaler("tfidf", X.slice(0, 5)).state());
  expect(fitScaler("tfidf", X, weights).state()).not.toEqual(fitScaler("tfidf", X).state());
});

it("has an inverse that gives back the direction of the counts", () => {
  const scaler = fitScaler("tfidf", X);
  const back = scaler.inverse(scaler.transform(X).toDense());
  expect(back.at(4, 0) / back.at(4, 1)).toBeCloseTo(3 / 2, 14);
  expect(scaler.inverse(Dense.from([idf], "f64")).data.every((x) => Math.abs(x - 1) < 1e-14)).toBe(true);
});

describe("sqrt-tfidf", () => {
  it("is tfidf of the square roots", () => {
    const roots = Dense.from(
      Array.from({ length: X.samples }, (_, i) => Array.from(X.row(i), Math.sqrt)),
      "f64",
    );
    const scaled = fitScaler("sqrt-tfidf", X).transform(X).toDense();
    expect(scaled.data).toEqual(fitScaler("tfidf", roots).transform(roots).toDense().data);
  });

  it("keeps the direction of prototypes that go back and forth", () => {
    const scaler = fitScaler("sqrt-tfidf", X);
    const Z = scaler.transform(X).toDense();
    const again = scaler.transform(scaler.inverse(Z)).toDense();
    again.data.forEach((value, p) => {
      expect(value).toBeCloseTo(Z.data[p], 12);
    });
  });
});
