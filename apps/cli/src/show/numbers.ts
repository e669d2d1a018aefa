/** 1234567 → "1,234,567". */
export function count(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 0 });
}

/** 0.1234 → "12.3 %". */
export function percent(share: number, digits = 1): string {
  return Number.isFinite(share) ? `${(share * 100).toFixed(digits)} %` : "–";
}

/** "1 sample", "1,234 samples". */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** 83.2 → "1 min 23 s", 0.045 → "45 ms". */
export function duration(seconds: number): string {
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

const SIZES = ["B", "kB", "MB", "GB", "TB"];

/** 12345 → "12.3 kB". */
export function bytes(value: number): string {
  let size = value;
  let unit = 0;
  for (; size >= 999.5 && unit < SIZES.length - 1; unit++) size /= 1000;
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${SIZES[unit]}`;
}

/** Four significant digits, with an exponent only for tiny numbers. */
export function decimal(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 10_000) return count(value);
  return value !== 0 && size < 0.001 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}
