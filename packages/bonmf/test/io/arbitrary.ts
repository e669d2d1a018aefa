import fc from "fast-check";
import { Dense, type Precision } from "../../src/matrix/dense.js";
import { Sparse } from "../../src/matrix/sparse.js";

const precision = fc.constantFrom<Precision>("f32", "f64");

function number(kind: Precision): fc.Arbitrary<number> {
  const any =
    kind === "f32"
      ? fc.float({ noNaN: true, noDefaultInfinity: true })
      : fc.double({ noNaN: true, noDefaultInfinity: true });
  return fc.oneof(any, fc.integer({ min: -300, max: 300 }), fc.constant(0));
}

/** Up to 6 samples × 5 features, values of every size and sign. */
export const dense: fc.Arbitrary<Dense> = fc
  .record({ precision, samples: fc.integer({ min: 1, max: 6 }), features: fc.integer({ min: 1, max: 5 }) })
  .chain(({ precision, samples, features }) => {
    const row = fc.array(number(precision), { minLength: features, maxLength: features });
    return fc.array(row, { minLength: samples, maxLength: samples }).map((rows) => Dense.from(rows, precision));
  });

/** The same, without stored zeros. */
export const sparse: fc.Arbitrary<Sparse> = dense.map((X) => Sparse.fromDense(X));

/** A list of texts, one for each of `length`. */
export function texts(length: number, text: fc.Arbitrary<string>): fc.Arbitrary<string[]> {
  return fc.array(text, { minLength: length, maxLength: length });
}
