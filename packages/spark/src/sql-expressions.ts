/** Spark SQL expressions that give the kernels' bits: the same operations in the same order. */

/** 0 … n − 1; `sequence` alone would count backwards for n = 0. */
export function places(n: string): string {
  return `CASE WHEN ${n} > 0 THEN sequence(0, ${n} - 1) ELSE CAST(array() AS ARRAY<INT>) END`;
}

/** ⟨x, w⟩ + start, summed feature after feature into one accumulator of the type of `start`. */
export function product(sparse: boolean, w: string, start: string): string {
  const factor = sparse ? `${w}[j[p]]` : `${w}[p]`;
  return `aggregate(${places("size(x)")}, ${start}, (s, p) -> s + x[p] * ${factor})`;
}

/** Σ of a term of the values v of x in four interleaved parts by feature number modulo 4. */
export function quarters(sparse: boolean, term: string): string {
  const feature = sparse ? "j[p]" : "p";
  const parts = [0, 1, 2, 3].map(
    (part) =>
      `aggregate(${places("size(x)")}, 0D, (s, p) -> s + CASE WHEN ${feature} % 4 = ${part} THEN ${term} ELSE 0D END)`,
  );
  return `(${parts[0]} + ${parts[1]}) + (${parts[2]} + ${parts[3]})`;
}

const WORD = 0xffffffff;

/** The low 32 bits of a product, by halves: Spark's BIGINT must not overflow. */
function multiply(a: string, by: number): string {
  const low = `(${a} & 65535) * ${by >>> 0}`;
  const high = `shiftleft((shiftright(${a}, 16) * ${by & 0xffff}) & 65535, 16)`;
  return `((${low} + ${high}) & ${WORD})`;
}

/**
 * Columns that mix a sample's number i and its label into 32 bits (the finaliser of MurmurHash3, as kernel/sums does),
 * each from the one before.
 */
export function mixColumns(name: string, salt: number): string {
  const step = (n: number) => `${name}_${n}`;
  return [
    `${multiply(`((i ^ ${salt}) & ${WORD})`, 0x9e3779b1)} ^ ${multiply("(CAST(label AS BIGINT) + 1)", 0x85ebca77)} AS ${step(0)}`,
    `${step(0)} ^ shiftright(${step(0)}, 16) AS ${step(1)}`,
    `${multiply(step(1), 0x85ebca6b)} AS ${step(2)}`,
    `${step(2)} ^ shiftright(${step(2)}, 13) AS ${step(3)}`,
    `${multiply(step(3), 0xc2b2ae35)} AS ${step(4)}`,
    `${step(4)} ^ shiftright(${step(4)}, 16) AS ${name}`,
  ].join(", ");
}

/** All prototypes of a view in one row: an array for each named column. */
function gather(view: string, names: readonly string[]): string {
  const arrays = names.map((name) => `transform(all, s -> s.${name}) AS ${name}`).join(", ");
  return `(SELECT ${arrays} FROM (SELECT array_sort(collect_list((c, ${names.join(", ")}))) AS all FROM ${view}))`;
}

/** Rows with their label under the prototypes of a view; ties go to the lowest. `keep`: the columns to keep. */
export function findLabels(sparse: boolean, rows: string, keep: string, view: string, as: string): string {
  const scores = `zip_with(w, bias, (w, b) -> ${product(sparse, "w", "b")})`;
  return `SELECT ${keep}, CAST(array_position(scores, array_max(scores)) - 1 AS INT) AS ${as}
    FROM (SELECT ${keep}, ${scores} AS scores FROM ${rows} CROSS JOIN ${gather(view, ["w", "bias"])})`;
}
