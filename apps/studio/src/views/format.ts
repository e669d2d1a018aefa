/** Numbers as people read them. */
export function count(value: number): string {
  return value.toLocaleString("en");
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 2 : 1)} %`;
}

export function plural(value: number, noun: string, nouns = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : nouns}`;
}

export function seconds(value: number): string {
  if (value === 0) return "kept";
  return value < 1 ? `${Math.round(1000 * value)} ms` : `${value.toFixed(1)} s`;
}

export function short(value: number): string {
  if (Number.isInteger(value)) return count(value);
  return Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 6 });
}
