/** How the comparators of the paper give classes: by the coefficients of H, which only real codes have. */
import { OptionError, quote } from "../errors.js";
import { METHODS } from "../factor/methods/index.js";
import { encodeSamples, labelCodes } from "../kernel/encode.js";
import { argMax } from "../kernel/rules.js";
import { Dense } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import type { Model } from "../model/model.js";
import { takeBearings } from "./bearing.js";
import { type Decide, decide, type Training } from "./decision.js";
import { Neighbors } from "./neighbors.js";
import { countVotes } from "./vote.js";

/** The class of the training sample whose column of H has the smallest angle to the sample's projection. */
export async function byCoefficients(training: Training): Promise<Decide> {
  const { model, y, classes } = training;
  const H = trainingCodes(training, "coefficients");
  const neighbors = new Neighbors(H, new Uint32Array(H.samples), new Float64Array(model.k), 1);
  await neighbors.quicken();
  const route = neighbors.routeThrough([0]);
  return (Q) => {
    const lists = neighbors.searchMany(project(Q, model), 0, new Array(Q.samples).fill(route), 1);
    return Array.from(takeBearings(Q, model), (bearing, i) =>
      decide(bearing, countVotes(lists[i], y, classes), lists[i][0]),
    );
  };
}

/** In the cluster of the projection's largest coefficient, the class of the closest training sample by distance. */
export function byLargest(training: Training): Decide {
  const { model, Z, y, classes } = training;
  const H = trainingCodes(training, "onmf");
  const clusters = Uint32Array.from({ length: H.samples }, (_, i) => argMax(H.row(i)));
  const neighbors = new Neighbors(Z, clusters, model.W.data as Float64Array, model.k);
  return (Q) => {
    const codes = project(Q, model);
    return Array.from(takeBearings(Q, model), ({ x, cosines }, i) => {
      const home = argMax(codes.row(i).map((h, j) => (neighbors.isEmpty(j) ? Number.NEGATIVE_INFINITY : h)));
      const found = neighbors.search(x, [home], 1, "distance");
      return decide({ home, cosines }, countVotes(found, y, classes), found[0]);
    });
  };
}

/** The non-negative least-squares codes of samples, n × k. */
function project(Q: Matrix, { W, k }: Model): Dense {
  return new Dense(Q.samples, k, encodeSamples(Q, "nnls", W.data as Float64Array, k).values!);
}

/** The run's own H, n × k, after a look at whether it belongs to these samples. */
function trainingCodes({ model, Z }: Training, scheme: string): Dense {
  if (model.codes.form !== "real") {
    throw new OptionError(
      "scheme",
      scheme,
      `scheme "${scheme}" compares coefficients, which a ${quote(model.method)} model does not have: ` +
        'fit with method "nmf", "hals", "onmf", "onmf-ding" or "semi-binary", or choose "majority", "nearest" or "vote"',
    );
  }
  const { k, labels, method } = model;
  const W = model.W.data as Float64Array;
  const { encode } = METHODS[method];
  const found = Z.samples === labels.length ? labelCodes(Z, encodeSamples(Z, encode, W, k), encode, W) : null;
  if (!found?.every((label, i) => label === labels[i])) {
    throw new OptionError(
      "scheme",
      scheme,
      `scheme "${scheme}" needs the ${labels.length} samples the model was fitted on, and these ${Z.samples} are others`,
    );
  }
  return new Dense(Z.samples, k, model.codes.values!);
}
