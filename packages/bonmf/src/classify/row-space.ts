import { multiplySamples } from "../kernel/encode.js";
import { correlate } from "../kernel/simd/prototype-products.js";
import { factorize, solveUpper } from "../matrix/cholesky.js";
import { Dense } from "../matrix/dense.js";
import type { Logistic } from "./logistic.js";

/**
 * Fewer samples than features: with an L2 penalty every w is a sum of samples, w = Xᵀa. With X·Xᵀ = L·Lᵀ and u = Lᵀa, X·w = L·u and
 * ‖w‖ = ‖u‖: the rows of L, of n numbers each, take the place of the samples, and the solution is the same.
 */
export interface RowSpace {
  /** n × n, lower. */
  readonly L: Dense;
  /** Coefficients of L's features as coefficients of the samples' own. */
  expand(found: Logistic): Logistic;
}

/** Numbers of a block of features, at most: the kernels hold it. */
const BLOCK = 2 ** 22;
/** Samples that depend on others leave no pivot: this share of the mean square is added. */
const RIDGE = 1e-12;

/** @param X n × m, dense */
export function reduceToRows({ samples: n, features: m, data }: Dense): RowSpace {
  const gram = new Float64Array(n * n);
  const wide = Math.max(1, Math.floor(BLOCK / n));
  for (let first = 0; first < m; first += wide) {
    const count = Math.min(wide, m - first);
    const part = new Float64Array(n * count);
    for (let i = 0; i < n; i++) part.set(data.subarray(i * m + first, i * m + first + count), i * count);
    const products = correlate(part, part, n);
    for (let p = 0; p < gram.length; p++) gram[p] += products[p];
  }
  let square = 0;
  for (let i = 0; i < n; i++) square += gram[i * n + i] / n;
  for (let i = 0; i < n; i++) gram[i * n + i] += RIDGE * square || 1e-300;
  const factor = factorize(gram, n);
  const columns = Dense.zeros(m, n, "f64");
  for (let i = 0; i < n; i++) for (let f = 0; f < m; f++) columns.data[f * n + i] = data[i * m + f];
  return {
    L: new Dense(n, n, factor),
    expand({ W: U, bias }) {
      const A = U.slice();
      solveUpper(factor, n, A);
      const r = bias.length;
      const products = multiplySamples(columns, A, r);
      const W = new Float64Array(r * m);
      for (let f = 0, p = 0; f < m; f++) for (let c = 0; c < r; c++) W[c * m + f] = products[p++];
      return { W, bias };
    },
  };
}
