/** Masked iterations written naively from their formulas: entry by entry, without Gram matrices. */

export interface Factors {
  /** k × m */
  W: number[][];
  /** n × k */
  H: number[][];
}

const product = (h: number[], W: number[][], f: number) => h.reduce((sum, value, r) => sum + value * W[r][f], 0);

/** @param X n × m, NaN where missing */
export function lossOf(X: number[][], { W, H }: Factors): number {
  let loss = 0;
  X.forEach((x, i) => {
    x.forEach((value, f) => {
      if (!Number.isNaN(value)) loss += (value - product(H[i], W, f)) ** 2;
    });
  });
  return loss;
}

/** One row of the unknown factor: `own` given the other factor's rows, over the entries that are known. */
function multiply(x: number[], own: number[], other: number[][]): number[] {
  return own.map((value, r) => {
    let above = 0;
    let below = 0;
    x.forEach((entry, f) => {
      if (Number.isNaN(entry)) return;
      above += other[r][f] * entry;
      below += other[r][f] * product(own, other, f);
    });
    return below > 0 ? (value * above) / below : 0;
  });
}

/** The same for the divergence: every sum is that of known entries. */
function divide(x: number[], own: number[], other: number[][]): number[] {
  return own.map((value, r) => {
    let above = 0;
    let below = 0;
    x.forEach((entry, f) => {
      if (Number.isNaN(entry)) return;
      above += (other[r][f] * entry) / product(own, other, f);
      below += other[r][f];
    });
    return below > 0 ? (value * above) / below : 0;
  });
}

/** @param X n × m, NaN where missing */
export function divergenceOf(X: number[][], { W, H }: Factors): number {
  let sum = 0;
  X.forEach((x, i) => {
    x.forEach((value, f) => {
      if (Number.isNaN(value)) return;
      const found = product(H[i], W, f);
      sum += (value > 0 ? value * Math.log(value / found) : 0) - value + found;
    });
  });
  return sum;
}

/** @param unknown what an entry is multiplied by where nothing of its component is known */
function cycle(x: number[], own: number[], other: number[][], sweeps: number, round: boolean, unknown = 0): number[] {
  const out = [...own];
  let first = 0;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let moved = 0;
    for (let r = 0; r < out.length; r++) {
      let rest = 0;
      let square = 0;
      x.forEach((entry, f) => {
        if (Number.isNaN(entry)) return;
        rest += other[r][f] * (entry - product(out, other, f) + out[r] * other[r][f]);
        square += other[r][f] ** 2;
      });
      const old = out[r];
      if (square === 0) out[r] *= unknown;
      else out[r] = round ? (rest > square / 2 ? 1 : 0) : Math.max(0, rest / square);
      if (square > 0) moved += square * (out[r] - old) ** 2;
    }
    if (sweep === 0) first = moved;
    if (!(moved > 0.01 * first)) break;
  }
  return out;
}

const transpose = (A: number[][]) => A[0].map((_, j) => A.map((row) => row[j]));

/** Columns of W from the columns of X, each by `renew`. */
function renewW(X: number[][], { W, H }: Factors, renew: typeof multiply): number[][] {
  const Ht = transpose(H);
  const Wt = transpose(W);
  return transpose(transpose(X).map((x, f) => renew(x, Wt[f], Ht)));
}

export function iterateNmf(X: number[][], { W, H }: Factors): Factors {
  const next = renewW(X, { W, H }, multiply);
  return { W: next, H: X.map((x, i) => multiply(x, H[i], next)) };
}

export function iterateDivergence(X: number[][], { W, H }: Factors): Factors {
  const next = renewW(X, { W, H }, divide);
  return { W: next, H: X.map((x, i) => divide(x, H[i], next)) };
}

export function iterateBinary(X: number[][], { W, H }: Factors): Factors {
  const next = renewW(X, { W, H }, multiply);
  return { W: next, H: X.map((x, i) => cycle(x, H[i], next, 1, true)) };
}

/** The optimum, and on in the same direction where the error of these entries is no higher than it was. */
function relax(x: number[], own: number[], other: number[][], sweeps: number, unknown: number): number[] {
  const error = (h: number[]) =>
    x.reduce((sum, entry, f) => (Number.isNaN(entry) ? sum : sum + (entry - product(h, other, f)) ** 2), 0);
  const optimum = cycle(x, own, other, sweeps, false, unknown);
  const next = optimum.map((value, r) => Math.max(0, value + 0.8 * (value - own[r])));
  return error(next) <= error(own) ? next : optimum;
}

export function iterateHals(X: number[][], { W, H }: Factors): Factors {
  const known = X.flat().filter((x) => !Number.isNaN(x));
  const total = (known.reduce((sum, x) => sum + x, 0) * X.length * X[0].length) / known.length;
  const both = total ** 2 / known.reduce((sum, x) => sum + x * x, 0) / W.length;
  const sweeps = (columns: number) => Math.min(10, Math.max(1, Math.round(both / columns)));
  const next = renewW(X, { W, H }, (x, own, other) => relax(x, own, other, sweeps(X[0].length), 1));
  return { W: next, H: X.map((x, i) => relax(x, H[i], next, sweeps(X.length), 0)) };
}

/** Labels by known features, then means of known values. */
export function iterateLabels(X: number[][], W: number[][], rule: "distance" | "cosine", unit: boolean) {
  const known = (x: number[]) => [...x.keys()].filter((f) => !Number.isNaN(x[f]));
  const length = (x: number[]) => Math.sqrt(known(x).reduce((sum, f) => sum + x[f] ** 2, 0));
  const labels = X.map((x) => {
    const scores = W.map((w) => {
      const features = known(x);
      if (rule === "distance") return -features.reduce((sum, f) => sum + (x[f] - w[f]) ** 2, 0);
      const norm = Math.sqrt(features.reduce((sum, f) => sum + w[f] ** 2, 0));
      return norm > 0 ? features.reduce((sum, f) => sum + x[f] * w[f], 0) / norm : 0;
    });
    return scores.indexOf(Math.max(...scores));
  });
  const next = W.map((w, j) =>
    w.map((old, f) => {
      const values = X.filter((x, i) => labels[i] === j && !Number.isNaN(x[f]));
      if (values.length === 0) return old;
      return values.reduce((sum, x) => sum + x[f] / (unit ? length(x) : 1), 0) / values.length;
    }),
  );
  return { labels, W: next };
}
