import { Field, Float32, Float64, Int32, List, Table, vectorFromArray } from "apache-arrow";
import type { Precision } from "bonmf";
import type { Step } from "bonmf/engine";

/**
 * W as a small relation for Spark: prototype c made ready for its rule in the precision of the samples, as the kernels do
 * it: the label is that of the largest bias + ⟨x, w⟩. By angle w has length 1 and the bias is 0; by distance the bias is
 * −½‖w‖².
 */
export function prototypesTable({ rule, W, k }: Step, precision: Precision): Table {
  const m = W.length / k;
  const round = precision === "f64" ? (x: number) => x : Math.fround;
  const rows = Array.from({ length: k }, (_, c) => {
    const w = W.subarray(c * m, (c + 1) * m);
    const length = lengthOf(w);
    const own = Array.from(w, (value) => round(rule === "distance" ? value : length > 0 ? value / length : 0));
    let sum = 0;
    for (const value of own) sum += value * value;
    return { own, bias: rule === "distance" ? round(-0.5 * sum) : 0, plain: Array.from(w), length };
  });
  const Float = precision === "f64" ? Float64 : Float32;
  const lists = (type: Float32 | Float64) => new List(new Field("item", type, false));
  return new Table({
    c: vectorFromArray(
      rows.map((_, c) => c),
      new Int32(),
    ),
    w: vectorFromArray(
      rows.map(({ own }) => own),
      lists(new Float()),
    ),
    bias: vectorFromArray(
      rows.map(({ bias }) => bias),
      new Float(),
    ),
    plain: vectorFromArray(
      rows.map(({ plain }) => plain),
      lists(new Float64()),
    ),
    length: vectorFromArray(
      rows.map(({ length }) => length),
      new Float64(),
    ),
  });
}

function lengthOf(w: Float64Array): number {
  let sum = 0;
  for (const value of w) sum += value * value;
  return Math.sqrt(sum);
}
