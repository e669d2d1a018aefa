/** The part of Observable Plot that is used here; its own types need a browser's and those of d3. */

type Values = Readonly<Record<string, string | number>>;

interface Plot {
  plot(options: Readonly<Record<string, unknown>>): object;
  dot(data: readonly object[], options: Values): object;
  line(data: readonly object[], options: Values): object;
  ruleY(data: readonly object[], options: Values): object;
  gridX(): object;
}

/** Not written as a literal, for which the compiler would read those types. */
const name: string = "@observablehq/plot";

export const { plot, dot, line, ruleY, gridX } = (await import(name)) as Plot;
