import { exp } from "../exp.js";
import { multiplySamples } from "../kernel/encode.js";
import { readRow } from "../kernel/plain/rows.js";
import { squaredNorms } from "../kernel/squared-norms.js";
import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import type { Model } from "../model/model.js";

/**
 * A sample with its soft codes beside it: exp(−γ‖x − w_j‖²) for each of k prototypes, then x·unit. A prototype speaks for the
 * samples around it, so that a linear classifier of these features follows curved borders.
 */
export interface SoftCodes {
  readonly gamma: number;
  /** 1 / the typical length of a sample, so that samples and codes are penalised alike. */
  readonly unit: number;
}

/** @param sharpness γ times the mean squared distance of a sample and a prototype */
export function measureCodes({ W, k }: Model, Z: Matrix, sharpness: number): SoftCodes {
  const squares = squaredNorms(Z);
  let square = 0;
  for (let i = 0; i < squares.length; i++) square += squares[i];
  square /= squares.length;
  const m = Z.features;
  const sum = new Float64Array(m);
  const x = new Float64Array(m);
  for (let i = 0; i < Z.samples; i++) {
    readRow(Z, i, x);
    for (let f = 0; f < m; f++) sum[f] += x[f];
  }
  let distance = square;
  for (let j = 0; j < k; j++) {
    const w = W.row(j);
    for (let f = 0; f < m; f++) distance += (w[f] * (w[f] - (2 * sum[f]) / squares.length)) / k;
  }
  return { gamma: distance > 0 ? sharpness / distance : 1, unit: square > 0 ? 1 / Math.sqrt(square) : 1 };
}

/** n × (k + m) in 32 bits. */
export function expandSamples({ W, k }: Model, Z: Matrix, { gamma, unit }: SoftCodes): Dense {
  const m = Z.features;
  const width = k + m;
  const out = Dense.zeros(Z.samples, width, "f32");
  const products = multiplySamples(Z, W.data as Float64Array, k);
  const squares = squaredNorms(Z);
  const own = squaredNorms(W);
  const x = new Float64Array(m);
  for (let i = 0; i < Z.samples; i++) {
    const row = out.row(i);
    for (let j = 0; j < k; j++) {
      row[j] = exp(-gamma * Math.max(0, squares[i] - 2 * products[i * k + j] + own[j]));
    }
    readRow(Z, i, x);
    for (let f = 0; f < m; f++) row[k + f] = x[f] * unit;
  }
  return out;
}
