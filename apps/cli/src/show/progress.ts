import type { Progress } from "../command.js";
import { escapeControls } from "./escape.js";
import { bytes, clip, count, duration } from "./text.js";

/** Ten updates a second. */
const EVERY_MS = 100;
const BAR = 16;

/** The last line of a terminal, which can be redrawn and erased. */
export interface Line {
  draw(text: string): void;
  clear(): void;
  readonly width: number;
}

/** A progress line with bar, share, rate and time left. Quick work shows none. */
export function showProgress(title: string, line: Line, now: () => number = () => performance.now()): Progress {
  const start = now();
  let drawn = start;
  return {
    update(done, total, unit, more) {
      const time = now();
      if (time - drawn < EVERY_MS) return;
      drawn = time;
      line.draw(describe(title, done, total, unit, (time - start) / 1000, line.width, more));
    },
    end: () => line.clear(),
  };
}

export function describe(
  title: string,
  done: number,
  total: number | null,
  unit: string,
  seconds: number,
  width: number,
  more = "",
): string {
  const rate = done / seconds;
  const parts =
    unit === "share" ? [] : [unit === "bytes" ? bytes(done) : `${count(done)} ${unit}`, `${speed(rate, unit)}/s`];
  let head = title;
  if (total !== null && total > 0) {
    const share = Math.min(1, done / total);
    head = `${title} ${bar(share)} ${Math.floor(share * 100)} %`;
    // A fit usually ends before its iteration limit, and a search drops what is behind.
    const most = unit === "iterations" || unit === "trials" ? "≤ " : "";
    const left = (total - done) / rate;
    if (done > 0 && share < 1) parts.push(`${most}${left < 60 ? `${Math.ceil(left)} s` : duration(left)} left`);
  }
  if (more !== "") parts.push(more);
  return clip(escapeControls([head, ...parts].join("  ")), width - 1);
}

function speed(rate: number, unit: string): string {
  if (unit === "bytes") return bytes(rate);
  return rate >= 10 ? count(rate) : rate.toFixed(1);
}

function bar(share: number): string {
  const full = Math.round(share * BAR);
  return "█".repeat(full) + "░".repeat(BAR - full);
}
