import { fitScaler, mapSteps, type Positions, type ScaleName } from "bonmf";
import type { Data } from "../data/build.js";
import { spreadOrder } from "../map/order.js";
import { meanStored } from "./stored.js";

/** Samples of a first look, */
const MOST = 3000;
const FEWEST = 300;
/** and their values. */
const MOST_VALUES = 1_000_000;

/** A first look at many samples: where some of them lie, scaled by what these tell. */
export interface SomePlaces extends Positions {
  /** The samples, from all over the file. */
  readonly of: Uint32Array;
}

/** Null where all samples are placed at once. Labels and k have no part in it. */
export function sketchSamples(
  { X, groups }: Pick<Data, "X" | "groups">,
  scale: ScaleName,
  metric: "cosine" | "euclidean",
): SomePlaces | null {
  const count = Math.max(FEWEST, Math.min(MOST, Math.floor(MOST_VALUES / Math.max(1, meanStored(X)))));
  if (X.samples <= count) return null;
  const of = spreadOrder(X.samples, count);
  const some = X.take(of);
  const Z = fitScaler(scale, some, undefined, groups ?? undefined).transform(some);
  const first = mapSteps(Z, { metric }).next();
  return { of, ...(first.done ? first.value : first.value.positions()) };
}
