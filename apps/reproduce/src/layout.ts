import type { Interval } from "./statistics.js";
import type { Block, Line, Results } from "./summary.js";

/** The table's columns for one dataset: Table 2 turned on its side, the paper's figures beside ours. */
export const HEADS = [
  { title: "method" },
  { title: "TT", right: true },
  { title: "paper", right: true },
  { title: "CT", right: true },
  { title: "paper", right: true },
  { title: "AC (%)", right: true },
  { title: "paper", right: true },
  { title: "behind the best (95 %)", right: true },
] as const;

export const LEGEND =
  "TT training, CT classification, AC accuracy: mean ± standard deviation. * best, = tied with the best: the 95 % " +
  "interval of the difference holds 0.";

export function layOut({ title, train, classify, accuracy, paper, mark, behind }: Line): string[] {
  const spread = accuracy.deviation === null ? "" : ` ± ${share(accuracy.deviation)}`;
  return [
    title,
    time(train),
    paper === null ? "" : time(paper.train),
    time(classify),
    paper === null ? "" : time(paper.classify),
    `${share(accuracy.mean)}${spread} ${SIGNS[mark ?? "none"]}`,
    paper === null ? "" : paper.accuracy.toFixed(2),
    behind === null ? "" : interval(behind),
  ];
}

const SIGNS = { best: "*", tied: "=", none: " " } as const;

/** "5,620 × 64, 10 classes (paper: 5,619 × 65, 10)". */
export function describe({ samples, features, classes, scale, paper }: Block): string {
  const shape = (s: number, f: number) => `${s.toLocaleString("en-US")} × ${f.toLocaleString("en-US")}`;
  const theirs = paper === null ? "" : ` (paper: ${shape(paper.samples, paper.features)}, ${paper.classes})`;
  return `${shape(samples, features)}, ${classes} classes${theirs}${scale === "none" ? "" : `, scaler ${scale}`}`;
}

export function interval({ mean, low, high }: Interval): string {
  return `${share(mean)} [${share(low)}, ${share(high)}]`;
}

/** "bonmf 0.1.0, 30 runs from seed 0". */
export function head({ version, runs, seed, machine }: Results): string {
  return `bonmf ${version}, ${runs} ${runs === 1 ? "run" : "runs"} from seed ${seed}, on ${machine}`;
}

function time(seconds: number | null): string {
  if (seconds === null) return "–";
  if (seconds < 0.0005) return "< 1 ms";
  if (seconds < 0.9995) return `${Math.round(1000 * seconds)} ms`;
  const whole = Math.round(seconds);
  if (whole >= 60) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${seconds < 10 ? seconds.toFixed(1) : whole} s`;
}

function share(value: number): string {
  return (100 * value).toFixed(2);
}
