import type { Codes, Labels } from "../kernel/step.js";
import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { rowLengths } from "../matrix/prototypes.js";
import { Sparse } from "../matrix/sparse.js";

/** How many samples each of k clusters has. */
export function countLabels(labels: Labels, k: number): Uint32Array {
  const counts = new Uint32Array(k);
  for (let i = 0; i < labels.length; i++) counts[labels[i]]++;
  return counts;
}

/** ‖w_j‖·‖h_j‖ of k components: how much of WH each is. @param H n × k */
export function measureUse(H: Float64Array, W: Float64Array, k: number): Float64Array {
  const squares = new Float64Array(k);
  for (let p = 0; p < H.length; p++) squares[p % k] += H[p] * H[p];
  return rowLengths(W, k).map((length, j) => length * Math.sqrt(squares[j]));
}

/** Codes as an n × k matrix, sparse for one-hot codes. */
export function codesToMatrix({ form, k, labels, values }: Codes): Matrix {
  if (form === "real") return new Dense(values!.length / k, k, values!);
  const n = labels!.length;
  return new Sparse(
    n,
    k,
    Uint32Array.from({ length: n + 1 }, (_, i) => i),
    Uint32Array.from(labels!),
    values ?? new Float64Array(n).fill(1),
  );
}
