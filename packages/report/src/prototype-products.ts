import type { Dense, Matrix } from "bonmf";

/**
 * Products of the scaled samples Z (n × m) with the unit vectors of d prototypes: n × d. `angular` divides by the samples'
 * lengths too, which makes them cosines.
 *
 * @param W d × m
 */
export function multiplyPrototypes(Z: Matrix, W: Dense, angular: boolean): Float64Array {
  const d = W.samples;
  const units = new Float64Array(W.features * d);
  for (let j = 0; j < d; j++) {
    const row = W.row(j);
    let normSq = 0;
    for (let f = 0; f < row.length; f++) normSq += row[f] * row[f];
    const length = Math.sqrt(normSq);
    if (length > 0) for (let f = 0; f < row.length; f++) units[f * d + j] = row[f] / length;
  }
  const along = new Float64Array(Z.samples * d);
  const row = { features: new Uint32Array(W.features), values: new Float64Array(W.features), count: 0 };
  const add = (f: number, value: number) => {
    if (value === 0) return;
    row.features[row.count] = f;
    row.values[row.count++] = value;
  };
  for (let i = 0; i < Z.samples; i++) {
    row.count = 0;
    Z.each(i, add);
    const own = along.subarray(i * d, (i + 1) * d);
    addProducts(own, row, units);
    let normSq = 0;
    for (let e = 0; e < row.count; e++) normSq += row.values[e] * row.values[e];
    if (angular && normSq > 0) for (let j = 0; j < d; j++) own[j] /= Math.sqrt(normSq);
  }
  return along;
}

interface Row {
  readonly features: Uint32Array;
  readonly values: Float64Array;
  readonly count: number;
}

/** Four features at a time, which takes half the time; the order of additions is that of one after the other. */
function addProducts(own: Float64Array, { features, values, count }: Row, units: Float64Array): void {
  const d = own.length;
  let e = 0;
  for (; e + 4 <= count; e += 4) {
    const [x0, x1, x2, x3] = [values[e], values[e + 1], values[e + 2], values[e + 3]];
    const [f0, f1, f2, f3] = [d * features[e], d * features[e + 1], d * features[e + 2], d * features[e + 3]];
    for (let j = 0; j < d; j++) {
      own[j] = own[j] + x0 * units[f0 + j] + x1 * units[f1 + j] + x2 * units[f2 + j] + x3 * units[f3 + j];
    }
  }
  for (; e < count; e++) {
    const [x, f] = [values[e], d * features[e]];
    for (let j = 0; j < d; j++) own[j] += x * units[f + j];
  }
}
