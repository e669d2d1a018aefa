/** Made once: `toLocaleString` makes one for each call, which takes longer than the rest of a card. */
const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** 1234567 → "1,234,567". */
export function count(value: number): string {
  return WHOLE.format(value);
}

/** 0.1234 → "12.3 %"; "–" where there is no number. */
export function percent(share: number | null, digits = 1): string {
  return share === null || !Number.isFinite(share)
    ? "–"
    : `${(share * 100).toFixed(digits).replace(/^-(?=[0.]+$)/, "")} %`;
}

/** "1 sample", "1,234 samples". */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Three significant digits, without an exponent for ordinary magnitudes; four-digit numbers may be years. */
export function decimal(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 10_000) return count(value);
  if (size >= 1000) return value.toFixed(0);
  return value !== 0 && size < 0.001 ? value.toExponential(1) : String(Number(value.toPrecision(3)));
}

/** A measure from −1 to 1: "0.27", "−0.01". */
export function hundredths(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return "–";
  return value
    .toFixed(2)
    .replace(/^-(?=[0.]+$)/, "")
    .replace("-", "−");
}

/** Ticks for what is counted: at most about `most` whole numbers of a round step. */
export function wholeTicks(from: number, to: number, most: number): number[] {
  const least = Math.max(1, (to - from) / most);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = Math.max(1, power * [1, 2, 5, 10].find((one) => one * power >= least)!);
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, i) => (first + i) * step);
}
