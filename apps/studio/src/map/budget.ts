/** Points of the first drawing, before anything was measured. */
const FIRST = 40_000;
/** Fewest points that are drawn, however slow it is. */
const FEWEST = 10_000;
/** A drawing should take no longer, in milliseconds. */
const AIM = 30;
/** After so many longer ones in a row there are fewer points: one may be late for other reasons. */
const MOST = 60;
const SLOW = 2;
const GROWTH = 6;

/** How many points the machine draws in time: measured, because the names of graphics cards tell little. */
export class PointBudget {
  #points = FIRST;
  #settled = false;
  #slow = 0;

  /** The points to draw of n. */
  of(n: number): number {
    return Math.min(n, this.#points);
  }

  /**
   * Takes the time of a drawing.
   *
   * @returns whether the number of points has changed
   */
  record(points: number, milliseconds: number): boolean {
    const before = this.#points;
    this.#slow = milliseconds > MOST ? this.#slow + 1 : 0;
    if (this.#slow > 0) {
      if (this.#slow < SLOW || points <= FEWEST) return false;
      this.#slow = 0;
      this.#settled = true;
      this.#points = Math.max(FEWEST, Math.round((points * AIM) / milliseconds));
    } else if (!this.#settled && points >= this.#points) {
      const room = Math.min(GROWTH, AIM / Math.max(1, milliseconds));
      if (room < 1.5) this.#settled = true;
      else this.#points = Math.round(points * room);
    }
    return this.#points !== before;
  }
}
