import KDBush from "kdbush";
import type { Box } from "./camera.js";
import { type Contour, drawContours } from "./contours.js";

/** Questions about where samples lie, answered for all of them, drawn or not. Runs in a worker of its own. */
export class MapGeometry {
  #x: Float32Array = new Float32Array(0);
  #y: Float32Array = new Float32Array(0);
  /** 0 for samples that are filtered out; null: none is. */
  #shown: Uint8Array | null = null;
  #index: KDBush | null = null;

  async place(x: Float32Array, y: Float32Array): Promise<void> {
    this.#x = x;
    this.#y = y;
    this.#index = null;
  }

  async show(shown: Uint8Array | null): Promise<void> {
    this.#shown = shown;
  }

  /** The sample nearest to a point of the map, no farther than `radius`; null where there is none. */
  async nearest(x: number, y: number, radius: number): Promise<number | null> {
    let best: number | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const i of this.#indexed().within(x, y, radius)) {
      const distance = (this.#x[i] - x) ** 2 + (this.#y[i] - y) ** 2;
      if (this.#isShown(i) && (distance < least || (distance === least && i < best!))) {
        least = distance;
        best = i;
      }
    }
    return best;
  }

  /**
   * The samples inside a polygon, ascending.
   *
   * @param corners x, y, x, y, …
   */
  async inside(corners: readonly number[]): Promise<Uint32Array> {
    const xs = corners.filter((_, c) => c % 2 === 0);
    const ys = corners.filter((_, c) => c % 2 === 1);
    if (xs.length < 3) return new Uint32Array(0);
    const near = this.#indexed().range(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
    return Uint32Array.from(near.filter((i) => this.#isShown(i) && isInside(this.#x[i], this.#y[i], xs, ys))).sort();
  }

  /**
   * The nearest sample in a direction, at least `least` ahead; sideways distance counts twice. Null at the edge.
   *
   * @param ux −1, 0 or 1, as `uy`; one of them is 0
   */
  async step(from: number, ux: number, uy: number, least: number): Promise<number | null> {
    const [x0, y0] = [this.#x[from], this.#y[from]];
    // Samples outside the square cost more than its half side.
    for (let half = Math.max(4 * least, 1e-3); half < 8; half *= 2) {
      let best: number | null = null;
      let lowest = Number.POSITIVE_INFINITY;
      for (const i of this.#indexed().range(x0 - half, y0 - half, x0 + half, y0 + half)) {
        if (!this.#isShown(i)) continue;
        const [dx, dy] = [this.#x[i] - x0, this.#y[i] - y0];
        const ahead = dx * ux + dy * uy;
        const aside = Math.abs(dx * uy) + Math.abs(dy * ux);
        const cost = ahead + 2 * aside;
        if (ahead > 0 && ahead >= least && aside <= 2 * ahead && cost < lowest) {
          lowest = cost;
          best = i;
        }
      }
      if (best !== null && lowest <= half) return best;
    }
    return null;
  }

  /** @param samples null: all that are shown */
  async bounds(samples: Uint32Array | null): Promise<Box | null> {
    const box = { left: 2, right: -2, low: 2, high: -2 };
    const count = samples?.length ?? this.#x.length;
    let any = false;
    for (let p = 0; p < count; p++) {
      const i = samples ? samples[p] : p;
      if (!samples && !this.#isShown(i)) continue;
      any = true;
      box.left = Math.min(box.left, this.#x[i]);
      box.right = Math.max(box.right, this.#x[i]);
      box.low = Math.min(box.low, this.#y[i]);
      box.high = Math.max(box.high, this.#y[i]);
    }
    return any ? box : null;
  }

  /** Lines of equal density of the samples shown. */
  async contours(): Promise<Contour[]> {
    return drawContours(this.#x, this.#y, this.#shown);
  }

  /**
   * For each group a place for its label: that of the member nearest to the medians. NaN for groups without members.
   *
   * @returns x, y, x, y, …
   */
  async anchors(of: Uint32Array, groups: number): Promise<Float32Array> {
    const members = Array.from({ length: groups }, (): number[] => []);
    for (let i = 0; i < this.#x.length; i++) members[of[i]]?.push(i);
    const anchors = new Float32Array(2 * groups).fill(Number.NaN);
    members.forEach((list, g) => {
      if (list.length === 0) return;
      const x = median(this.#x, list);
      const y = median(this.#y, list);
      const distance = (i: number) => (this.#x[i] - x) ** 2 + (this.#y[i] - y) ** 2;
      let nearest = list[0];
      for (const i of list) if (distance(i) < distance(nearest)) nearest = i;
      anchors.set([this.#x[nearest], this.#y[nearest]], 2 * g);
    });
    return anchors;
  }

  #isShown(i: number): boolean {
    return this.#shown === null || this.#shown[i] !== 0;
  }

  #indexed(): KDBush {
    if (this.#index) return this.#index;
    const index = new KDBush(this.#x.length, 64, Float32Array);
    for (let i = 0; i < this.#x.length; i++) index.add(this.#x[i], this.#y[i]);
    this.#index = index.finish();
    return this.#index;
  }
}

function median(values: Float32Array, list: readonly number[]): number {
  return Float32Array.from(list, (i) => values[i]).sort()[list.length >> 1];
}

/** By the number of edges to the right of the point. */
function isInside(x: number, y: number, xs: readonly number[], ys: readonly number[]): boolean {
  let inside = false;
  for (let a = 0, b = xs.length - 1; a < xs.length; b = a++) {
    if (ys[a] > y !== ys[b] > y && x < ((xs[b] - xs[a]) * (y - ys[a])) / (ys[b] - ys[a]) + xs[a]) inside = !inside;
  }
  return inside;
}
