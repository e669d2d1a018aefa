import { BASELINE, OURS } from "./columns.js";
import { FIGURES } from "./paper-figures.js";
import { SHARE } from "./samples.js";
import type { Block, Line } from "./summary.js";

/** A claim about the table, and whether it holds. */
export interface Bar {
  readonly claim: string;
  readonly met: boolean;
  readonly seen: string;
}

/** Checks the paper's datasets; leaves out claims about columns that were not run. */
export function checkBars(blocks: readonly Block[]): Bar[] {
  const nine = blocks.filter(({ paper }) => paper !== null);
  return [checkAccuracy(nine), checkBaseline(nine), checkMemory(nine)].flatMap((bar) => bar ?? []);
}

const lineOf = ({ lines }: Block, column: string): Line | undefined => lines.find((line) => line.column === column);

/** Banking's figure in the paper is the share of the commonest class, so one may miss. */
function checkAccuracy(blocks: readonly Block[]): Bar | null {
  const compared = blocks.flatMap((block) => {
    const ours = lineOf(block, OURS);
    const theirs = FIGURES.get(block.name)!.figures.algorithm1;
    return ours ? [{ title: block.title, above: 100 * ours.accuracy.mean >= theirs.accuracy }] : [];
  });
  if (compared.length === 0) return null;
  const below = compared.filter(({ above }) => !above).map(({ title }) => title);
  const count = `${compared.length - below.length} of ${compared.length}`;
  return {
    claim: "auto is at or above the paper's Algorithm 1 on all datasets but one at most",
    met: below.length <= 1,
    seen: [count, ...below.map((title) => `not ${title}`)].join("; "),
  };
}

function checkBaseline(blocks: readonly Block[]): Bar | null {
  const compared = blocks.flatMap((block) => {
    const ours = lineOf(block, OURS)?.accuracy;
    const base = lineOf(block, BASELINE)?.accuracy;
    if (!ours || !base) return [];
    const slack = (ours.deviation ?? 0) / Math.sqrt(ours.values.length);
    return [{ title: block.title, lead: ours.mean - base.mean, met: ours.mean >= base.mean - slack }];
  });
  if (compared.length === 0) return null;
  const least = compared.reduce((a, b) => (b.lead < a.lead ? b : a));
  return {
    claim: "auto is nowhere below the commonest class by more than a standard error",
    met: compared.every(({ met }) => met),
    seen: `least lead ${(100 * least.lead).toFixed(2)} %, on ${least.title}`,
  };
}

function checkMemory(blocks: readonly Block[]): Bar | null {
  const shares = blocks.flatMap((block) => {
    const { memory } = lineOf(block, "nearest") ?? lineOf(block, "majority") ?? { memory: null };
    return memory === null ? [] : [memory / Math.round(SHARE * block.samples)];
  });
  if (shares.length === 0) return null;
  return {
    claim: "Algorithm 1 keeps H as one label a sample",
    met: shares.every((bytes) => bytes === 1 || bytes === 2 || bytes === 4),
    seen: `${Math.max(...shares)} byte a training sample at most`,
  };
}
