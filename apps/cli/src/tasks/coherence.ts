/** Of those that are known. */
export function meanOf(values: readonly number[]): number | null {
  const known = values.filter((value) => Number.isFinite(value));
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** A measure from −1 to 1, with two digits. */
export function showMeasure(value: number | null): string {
  return value === null || Number.isNaN(value) ? "–" : value.toFixed(2).replace("-", "−");
}
