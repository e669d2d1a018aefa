import { type MapStep, type Matrix, mapSteps, type Positions } from "bonmf";
import type { Places } from "./protocol.js";

/** Least time between two steps that are shown, in milliseconds. */
const PAUSE = 150;
/** Largest share of the time that showing may take. */
const SHARE = 0.2;
/** Longest piece of work between two looks at messages, in milliseconds. */
const PIECE = 20;
const MARGIN = 0.94;
/** Share of the samples that may lie outside the frame at either side, while the map is a linear one: a few are far away. */
const FAR = 0.001;
/** Far samples are told among so many. */
const MOST_SORTED = 20_000;

let made = 0;

/** The map of the samples, made piece by piece between the worker's other tasks. Labels and k have no part in it. */
export class Layout {
  readonly #steps: Generator<MapStep, Positions>;
  readonly #map = ++made;
  #places: Places;
  #work: Promise<Places> | null = null;
  #stopped = false;

  /**
   * @param Z n × m, scaled
   * @param metric as the method compares samples
   */
  constructor(Z: Matrix, metric: "cosine" | "euclidean") {
    this.#steps = mapSteps(Z, { metric });
    const first = this.#steps.next();
    this.#places = first.done ? this.#frame(first.value, 0) : this.#frame(first.value.positions(), FAR);
  }

  #frame(positions: Positions, outside: number): Places {
    return { ...intoFrame(positions, outside), map: this.#map };
  }

  /** The places reached so far; at first those of the first two principal components, of many samples roughly. */
  get places(): Places {
    return this.#places;
  }

  /** Ends the work; what was reached stays. */
  stop(): void {
    this.#stopped = true;
  }

  /**
   * Finishes the map, once.
   *
   * @param isBusy whether other work goes first
   * @param show called with the places now and then
   */
  finish(isBusy: () => boolean, show: (places: Places) => void): Promise<Places> {
    this.#work ??= this.#go(isBusy, show);
    return this.#work;
  }

  async #go(isBusy: () => boolean, show: (places: Places) => void): Promise<Places> {
    let next = performance.now() + PAUSE;
    while (!this.#stopped) {
      await new Promise((resolve) => setTimeout(resolve, isBusy() ? PAUSE : 0));
      if (isBusy()) continue;
      const step = this.#advance();
      if (step.done) this.#places = this.#frame(step.value, 0);
      const now = performance.now();
      if (!step.done && now < next) continue;
      if (!step.done) this.#places = this.#frame(step.value.positions(), 0);
      show(this.#places);
      if (step.done) break;
      next = performance.now() + Math.max(PAUSE, (performance.now() - now) / SHARE);
    }
    return this.#places;
  }

  #advance(): IteratorResult<MapStep, Positions> {
    const end = performance.now() + PIECE;
    for (;;) {
      const step = this.#steps.next();
      if (step.done || performance.now() > end) return step;
    }
  }
}

/** Into −1 … 1, both axes by the same factor, but for a share at either side that may lie outside. */
function intoFrame({ x, y }: Positions, outside: number): Positions {
  const [left, right] = findRange(x, outside);
  const [low, high] = findRange(y, outside);
  const scale = (2 * MARGIN) / (Math.max(right - left, high - low) || 1);
  return {
    x: x.map((value) => (value - (left + right) / 2) * scale),
    y: y.map((value) => (value - (low + high) / 2) * scale),
  };
}

function findRange(values: Float32Array, outside: number): [number, number] {
  if (outside > 0) {
    const every = Math.ceil(values.length / MOST_SORTED);
    const sorted = Float32Array.from({ length: Math.ceil(values.length / every) }, (_, i) => values[i * every]).sort();
    const last = sorted.length - 1;
    return [sorted[Math.floor(outside * last)], sorted[Math.ceil((1 - outside) * last)]];
  }
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}
