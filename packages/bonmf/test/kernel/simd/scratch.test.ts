import { beforeAll, describe, expect, it } from "vitest";
import { makeRegion } from "../../../src/engine/memory/regions.js";
import { encodeSamples, multiplySamples } from "../../../src/kernel/encode.js";
import { copyingProducts } from "../../../src/kernel/simd/scratch.js";
import { Dense } from "../../../src/matrix/dense.js";
import { Sparse } from "../../../src/matrix/sparse.js";
import { bits, codeBits, randomRows, wholeRows } from "../../synthetic.js";

const RULES = ["cosine", "distance", "ray", "nnls", "binary"] as const;
const SHAPES = [
  [300, 7, 1],
  [257, 40, 5],
  [384, 3, 13],
  [200, 65, 30],
  [240, 120, 101],
] as const;

/** Zero samples, zero and equal prototypes, whole numbers that tie, and fractions that round. */
const cases = SHAPES.flatMap(([n, m, k]) =>
  [wholeRows, randomRows].flatMap((draw, seed) => {
    const rows = draw(seed, n, m, 0.6);
    rows[5] = rows[n - 1] = new Array(m).fill(0);
    const prototypes = draw(seed + 9, k, m, 0.4);
    if (k > 1) prototypes[k - 1] = prototypes[1].slice();
    if (k > 4) prototypes[2] = new Array(m).fill(0);
    const W = Float64Array.from(prototypes.flat());
    return (["f32", "f64"] as const).flatMap((precision) => {
      const X = Dense.from(rows, precision);
      return [X, Sparse.fromDense(X)].map((X) => ({ X, W, k, name: `${draw.name} ${X.kind} ${precision} ${n}×${m}` }));
    });
  }),
);

const runAll = ({ X, W, k }: (typeof cases)[number]) => ({
  codes: RULES.map((rule) => codeBits(encodeSamples(X, rule, W, k))),
  products: bits(multiplySamples(X, W, k)),
});

// Nothing has opened a region yet: these are the plain ones.
const isPlain = cases.every(({ X, k }) => copyingProducts(X, k) === null);
const plain = cases.map(runAll);

describe("codes and products by the kernels", () => {
  beforeAll(async () => {
    expect(isPlain).toBe(true);
    expect(await makeRegion(0)).not.toBeNull();
  });

  it.each(cases.map((drawn, c) => ({ ...drawn, c })))(
    "are those of plain TypeScript to the bit: $name, k = $k",
    (drawn) => {
      expect(copyingProducts(drawn.X, drawn.k)).not.toBeNull();
      expect(runAll(drawn)).toEqual(plain[drawn.c]);
    },
  );

  it("are left to plain TypeScript for a few samples or very large prototypes", () => {
    expect(copyingProducts(Dense.from(wholeRows(1, 70, 3), "f32"), 7)).toBeNull();
    const wide = new Sparse(200, 2_000_000, new Uint32Array(201), new Uint32Array(0), new Float32Array(0));
    expect(copyingProducts(wide, 10)).toBeNull();
  });
});
