import { type MapStep, type Matrix, mapSteps, type Positions } from "bonmf";
import type { Places } from "./protocol.js";
import type { SomePlaces } from "./sketch.js";
import { findTurn, type Turn, turn } from "./turn.js";

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
  readonly #turn: Turn | null;
  #places: Places;
  #work: Promise<Places> | null = null;
  #stopped = false;

  /**
   * @param Z n × m, scaled
   * @param metric as the method compares samples
   * @param sketch where some were seen first: the map is turned so that they move no more than they must
   */
  constructor(Z: Matrix, metric: "cosine" | "euclidean", sketch: SomePlaces | null) {
    this.#steps = mapSteps(Z, { metric });
    const first = this.#steps.next();
    const positions = first.done ? first.value : first.value.positions();
    this.#turn = sketch && findTurn(positions, sketch);
    this.#places = this.#frame(positions, !first.done);
  }

  #frame(positions: Positions, linear: boolean): Places {
    return { ...intoFrame(this.#turn ? turn(positions, this.#turn) : positions, linear), map: this.#map };
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
      if (step.done) this.#places = this.#frame(step.value, false);
      const now = performance.now();
      if (!step.done && now < next) continue;
      if (!step.done) this.#places = this.#frame(step.value.positions(), false);
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

/** Into −1 … 1, both axes by the same factor; of a linear map, a few far samples may lie outside. */
export function intoFrame({ x, y }: Positions, linear: boolean): Positions {
  const outside = linear ? FAR : 0;
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
