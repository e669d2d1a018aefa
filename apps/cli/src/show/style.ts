import type { Style } from "../command.js";

interface Stream {
  readonly isTTY?: boolean;
}

/** Colours on terminals unless NO_COLOR is set; FORCE_COLOR forces them, FORCE_COLOR=0 disables them. */
export function hasColours(stream: Stream, env: NodeJS.ProcessEnv): boolean {
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "") return env.FORCE_COLOR !== "0";
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
}

export function makeStyle(colours: boolean): Style {
  const paint = (open: number, close: number) => (text: string) =>
    colours && text !== "" ? `\x1b[${open}m${text}\x1b[${close}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    good: paint(32, 39),
    bad: paint(31, 39),
    accent: paint(36, 39),
  };
}
