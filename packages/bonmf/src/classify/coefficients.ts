/** How the comparators of the paper give classes: by the coefficients of H, which only real codes have. */
import { OptionError, quote } from "../errors.js";
import { METHODS } from "../factor/methods/index.js";
import { encodeSamples, labelSamples } from "../kernel/encode.js";
import { argMax } from "../kernel/rules.js";
import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import { takeBearings } from "../model/bearing.js";
import type { Model } from "../model/model.js";
import { decide, type Scheme, type Training } from "./decision.js";
import { NeighborIndex } from "./neighbor-index.js";
import { countVotes } from "./vote.js";

/** The class of the training sample whose column of H has the smallest angle to the sample's projection. */
export async function byCoefficients(training: Training): Promise<Scheme> {
  checkOwn(training, "coefficients");
  return byCodes(training);
}

/** The same where the training samples, n of them, are known to be those of the model. */
export async function byCodes({ model, y, classes }: Pick<Training, "model" | "y" | "classes">): Promise<Scheme> {
  const H = codesOf(model, "coefficients");
  const neighbors = await NeighborIndex.open(H, new Uint32Array(H.samples), new Float64Array(model.k), 1);
  const route = neighbors.routeThrough([0]);
  return {
    decide: (Q) => {
      const lists = neighbors.searchMany(project(Q, model), 0, new Array(Q.samples).fill(route), 1);
      return Array.from(takeBearings(Q, model), (bearing, i) =>
        decide(bearing, countVotes(lists[i], y, classes), lists[i][0]),
      );
    },
    state: () => ({ y }),
  };
}

/** In the cluster of the projection's largest coefficient, the class of the closest training sample by distance. */
export function byLargest(training: Training): Scheme {
  checkOwn(training, "onmf");
  const { model, Z, y, classes } = training;
  const H = codesOf(model, "onmf");
  const clusters = Uint32Array.from({ length: H.samples }, (_, i) => argMax(H.row(i)));
  const neighbors = new NeighborIndex(Z, clusters, model.W.data as Float64Array, model.k);
  return {
    decide: (Q) => {
      const codes = project(Q, model);
      return Array.from(takeBearings(Q, model), ({ x, cosines }, i) => {
        const home = argMax(codes.row(i).map((h, j) => (neighbors.isEmpty(j) ? Number.NEGATIVE_INFINITY : h)));
        const found = neighbors.search(x, [home], 1, "distance");
        return decide({ home, cosines }, countVotes(found, y, classes), found[0]);
      });
    },
    state: () => ({ Z: neighbors.samples(), y }),
  };
}

/** The non-negative least-squares codes of samples, n × k. */
function project(Q: Matrix, { W, k }: Model): Dense {
  return new Dense(Q.samples, k, encodeSamples(Q, "nnls", W.data as Float64Array, k).values!);
}

/** The run's own H, n × k. */
function codesOf({ codes, method, k }: Model, scheme: string): Dense {
  if (codes.form === "real") return new Dense(codes.values!.length / k, k, codes.values!);
  throw new OptionError(
    "scheme",
    scheme,
    `scheme "${scheme}" compares coefficients, which a ${quote(method)} model does not have: ` +
      'fit with method "nmf", "hals", "onmf", "onmf-ding" or "semi-binary", or choose "majority", "nearest" or "vote"',
  );
}

/** Whether these are the samples that H belongs to. */
function checkOwn({ model, Z }: Training, scheme: string): void {
  codesOf(model, scheme);
  const { k, labels, method } = model;
  const W = model.W.data as Float64Array;
  const { encode } = METHODS[method];
  const found = Z.samples === labels.length ? labelSamples(Z, encode, W, k) : null;
  if (found?.every((label, i) => label === labels[i])) return;
  throw new OptionError(
    "scheme",
    scheme,
    `scheme "${scheme}" needs the ${labels.length} samples the model was fitted on, and these ${Z.samples} are others`,
  );
}
