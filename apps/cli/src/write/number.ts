/** The shortest text that reads back as the same 32-bit number. */
export function formatFloat(value: number): string {
  if (!Number.isInteger(value)) {
    for (let digits = 6; digits <= 9; digits++) {
      const short = Number(value.toPrecision(digits));
      if (Math.fround(short) === value) return String(short);
    }
  }
  return formatDouble(value);
}

export function formatDouble(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}
