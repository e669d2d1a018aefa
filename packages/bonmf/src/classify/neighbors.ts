import { DataError } from "../errors.js";
import { checkKnown } from "../known-options.js";
import type { Samples } from "../matrix/matrix.js";
import type { Model } from "../model/model.js";
import { wholeNumber } from "../model/options.js";
import { train } from "./decision.js";
import type { Neighbor } from "./query.js";
import { NeighborSearch } from "./vote.js";

/** Options of {@link neighbors}. */
export interface NeighborOptions {
  /** How many are found for each sample. Default 5. */
  count?: number | undefined;
}

/** Samples among which the nearest ones can be found. Built by {@link neighbors}. */
export interface Neighbors {
  /** How many samples are searched. */
  readonly samples: number;
  /**
   * @param X samples of m features, in the units of those that are searched
   * @returns for each of them the nearest samples, the nearest first; `closeness` is the cosine of the angle
   */
  find(X: Samples): Neighbor[][];
}

/**
 * Prepares the search for the samples nearest to others by angle, in the model's units. The clusters of the model say where
 * not to look; the result equals that of comparing all pairs. Samples at the same angle come in a fixed, shuffled order.
 *
 * @param X n samples of m features, in the units of the samples that the model was fitted on
 * @throws DataError when there are no samples, or the features are not the model's; OptionError for a bad option
 *
 * @example
 * ```ts
 * import { fit, neighbors } from "bonmf";
 * const X = [[5, 0, 1], [4, 1, 0], [0, 3, 3], [1, 4, 5]];
 * const model = await fit(X, { k: 2, seed: 7 });
 * const search = await neighbors(model, X, { count: 2 });
 * search.find([[9, 1, 0]])[0].map(({ index }) => index); // → [1, 0]
 * ```
 */
export async function neighbors(model: Model, X: Samples, options: NeighborOptions = {}): Promise<Neighbors> {
  checkKnown(options, { count: true }, "neighbors");
  const { count = 5 } = options;
  wholeNumber("count", count, 1);
  const Z = model.prepare(X);
  if (Z.samples === 0) throw new DataError("empty", "a search for neighbours needs at least one sample");
  const training = train(model, Z, new Uint32Array(Z.samples), 1);
  const search = await NeighborSearch.open(training, Math.min(count, Z.samples), "exact");
  return {
    samples: Z.samples,
    find(queries) {
      const blocks = [...search.blocks(model.prepare(queries))];
      // An all-zero sample is as near to every other one as to the first.
      return blocks.flatMap(({ lists }) => lists.map((found) => found.slice(0, count)));
    },
  };
}
