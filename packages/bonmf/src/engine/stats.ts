import { finishKnown, mergeSums, type Sums } from "../kernel/sums.js";

/**
 * Partial totals as a list of aligned subtrees. Samples are cut into fixed blocks; block totals merge only with their
 * sibling in one fixed binary tree over all blocks. So the grand total has the same bits however the blocks were divided
 * among engines, and `mergeStats` is associative to the bit, which plain floating-point addition is not.
 */
export interface Stats {
  readonly rank: number;
  /** Subtrees by rising `start`: the totals of blocks start … start + 2^level − 1. */
  readonly parts: { readonly start: number; readonly level: number; readonly sums: Sums }[];
  /** The kernel that swept the samples, by name (kernel/choose.ts). */
  kernel?: string;
}

export function emptyStats(rank: number): Stats {
  return { rank, parts: [] };
}

/** Appends a block's (or subtree's) totals and merges every pair of siblings. @param spares OUT large arrays that were merged into others */
export function pushStats(stats: Stats, start: number, level: number, sums: Sums, spares: Float64Array[] = []): void {
  const { parts, rank } = stats;
  let part = { start, level, sums };
  for (;;) {
    const left = parts.at(-1);
    const width = 2 ** part.level;
    if (!left || left.level !== part.level || left.start % (2 * width) !== 0 || left.start + width !== part.start)
      break;
    parts.pop();
    // Where the left has no XHᵀ it takes that of the right.
    const { XHt, known } = part.sums;
    if (left.sums.XHt.length > 0 && XHt.length > 0) spares.push(XHt);
    // Empty ones would stay for ever, and be searched for every block.
    if (known.length > 0) spares.push(known);
    part = { start: left.start, level: left.level + 1, sums: mergeSums(left.sums, part.sums, rank) };
  }
  parts.push(part);
}

/** The totals of a followed by those of b; consumes both. */
export function mergeStats(a: Stats, b: Stats): Stats {
  for (const part of b.parts) pushStats(a, part.start, part.level, part.sums);
  // Parts of the data may be stored differently.
  if (b.kernel !== undefined && !a.kernel?.split(" + ").includes(b.kernel)) {
    a.kernel = a.kernel === undefined ? b.kernel : `${a.kernel} + ${b.kernel}`;
  }
  return a;
}

/** The grand total: merges the remaining subtrees from the right. Consumes the stats. */
export function totalStats({ parts, rank }: Stats): Sums {
  let total = parts[parts.length - 1].sums;
  for (let p = parts.length - 2; p >= 0; p--) total = mergeSums(parts[p].sums, total, rank);
  return finishKnown(total);
}

/**
 * Samples in a block: a power of two that depends on the number of samples alone, so that every engine cuts alike.
 * About 64 blocks, but none smaller than 256 samples or larger than 65,536. Of samples with gaps about 16, since HHᵀ of every feature is summed.
 */
export function blockSize(samples: number, gaps = false): number {
  let size = 256;
  while (size < 65_536 && size * (gaps ? 16 : 64) < samples) size *= 2;
  return size;
}
