import type { Positions } from "bonmf";
import type { SomePlaces } from "./sketch.js";

/** An orthogonal matrix by rows: a turn, or a mirror. */
export type Turn = readonly [number, number, number, number];

/** What brings places as near as it can to those of some of the samples elsewhere, whatever the unit there. */
export function findTurn({ x, y }: Positions, { of, x: toX, y: toY }: SomePlaces): Turn | null {
  const mean = (values: Float32Array, ids: Iterable<number>) => {
    let sum = 0;
    for (const i of ids) sum += values[i];
    return sum / of.length;
  };
  const [fromX0, fromY0, toX0, toY0] = [mean(x, of), mean(y, of), mean(toX, toX.keys()), mean(toY, toY.keys())];
  let [a, b, c, d] = [0, 0, 0, 0];
  of.forEach((i, p) => {
    const [fromX, fromY, tX, tY] = [x[i] - fromX0, y[i] - fromY0, toX[p] - toX0, toY[p] - toY0];
    a += tX * fromX;
    b += tX * fromY;
    c += tY * fromX;
    d += tY * fromY;
  });
  // The orthogonal matrix nearest to (a b; c d).
  const sign = a * d - b * c < 0 ? -1 : 1;
  const [p, q] = [a + sign * d, b - sign * c];
  const length = Math.sqrt(p * p + q * q);
  return length === 0 ? null : [p / length, q / length, (-sign * q) / length, (sign * p) / length];
}

export function turn({ x, y }: Positions, [a, b, c, d]: Turn): Positions {
  return { x: x.map((value, i) => a * value + b * y[i]), y: x.map((value, i) => c * value + d * y[i]) };
}
