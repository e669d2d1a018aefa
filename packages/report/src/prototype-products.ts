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
  for (let i = 0; i < Z.samples; i++) {
    let normSq = 0;
    const at = i * d;
    Z.each(i, (f, value) => {
      if (value === 0) return;
      normSq += value * value;
      for (let j = 0; j < d; j++) along[at + j] += value * units[f * d + j];
    });
    if (angular && normSq > 0) for (let j = 0; j < d; j++) along[at + j] /= Math.sqrt(normSq);
  }
  return along;
}
