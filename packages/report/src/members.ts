import type { Assignments } from "./assignments.js";
import type { Form } from "./findings.js";

/** Rows of the members of one cluster that are worth showing. */
export interface Chosen {
  /** Highest cosine first. */
  readonly typical: number[];
  /** Smallest margin first; none of the typical. */
  readonly borderline: number[];
}

/** How many of each; fewer where there are many clusters. */
export function countShown(k: number, form: Form): number {
  return Math.max(2, Math.min(form === "picture" ? 6 : 4, Math.floor(360 / k)));
}

/** @param texts of which equal ones are shown once */
export function chooseMembers(
  { clusters, cosines, margins }: Assignments,
  k: number,
  each: number,
  texts: readonly string[] | null = null,
): Chosen[] {
  const isSame = (a: number, b: number) => texts !== null && texts[a] === texts[b];
  const typical = Array.from({ length: k }, () => new Best(each, isSame));
  for (let i = 0; i < clusters.length; i++) typical[clusters[i]].offer(i, cosines[i]);
  const borderline = Array.from({ length: k }, () => new Best(each, isSame));
  for (let i = 0; i < clusters.length; i++) {
    // All-zero samples are reported separately.
    const known = typical[clusters[i]].rows;
    if (cosines[i] === 0 || known.some((row) => row === i || isSame(row, i))) continue;
    borderline[clusters[i]].offer(i, -margins[i]);
  }
  return typical.map(({ rows }, j) => ({ typical: rows, borderline: borderline[j].rows }));
}

/** The rows of highest rank, highest first; ties to the first offered. */
class Best {
  readonly rows: number[] = [];
  readonly #ranks: number[] = [];
  readonly #most: number;
  readonly #isSame: (a: number, b: number) => boolean;

  /** @param isSame whether two rows, which have the same rank then, are worth one place */
  constructor(most: number, isSame: (a: number, b: number) => boolean) {
    this.#most = most;
    this.#isSame = isSame;
  }

  offer(row: number, rank: number): void {
    const ranks = this.#ranks;
    if (ranks.length === this.#most && rank <= ranks[ranks.length - 1]) return;
    if (ranks.some((known, at) => known === rank && this.#isSame(this.rows[at], row))) return;
    let place = ranks.length;
    while (place > 0 && ranks[place - 1] < rank) place--;
    ranks.splice(place, 0, rank);
    this.rows.splice(place, 0, row);
    if (ranks.length > this.#most) {
      ranks.pop();
      this.rows.pop();
    }
  }
}
