/** The schemes of the methods that the paper compares with. They use the coefficients of H, which only real codes have. */
import { OptionError, quote } from "../errors.js";
import { methodOf } from "../factor/methods/index.js";
import { weightsOfH } from "../factor/penalty.js";
import { encodeSamples, labelSamples } from "../kernel/encode.js";
import { readRow } from "../kernel/plain/rows.js";
import { argMax } from "../kernel/plain/rules.js";
import { Dense, type Floats } from "../matrix/dense.js";
import type { Matrix } from "../matrix/matrix.js";
import type { Model } from "../model/model.js";
import { PrototypeIndex } from "../model/prototype-index.js";
import { countVotes, equalVotes } from "./ballot.js";
import { type Decision, decideBlock, type Scheme, type Training } from "./decision.js";
import { NeighborIndex } from "./neighbor-index.js";

/** The class of the training sample whose column of H has the smallest angle to the sample's projection. */
export async function byCoefficients(training: Training): Promise<Scheme> {
  checkOwn(training, "coefficients");
  return byCodes(training);
}

/** The same, without a check that the training samples are those of the model. */
export async function byCodes({ model, y, classes }: Pick<Training, "model" | "y" | "classes">): Promise<Scheme> {
  const H = codesOf(model, "coefficients");
  const neighbors = await NeighborIndex.open(H, new Uint32Array(H.samples), new Float64Array(model.k), 1);
  const bounds = neighbors.boundOnly([0]);
  const prototypes = new PrototypeIndex(model);
  return {
    decide(Q) {
      const decisions: Decision[] = [];
      const lists = neighbors.searchMany(project(Q, model), new Array(Q.samples).fill(bounds), 1);
      for (const block of prototypes.cosineBlocks(Q)) {
        const vote = (i: number) => {
          const found = lists[block.first + i];
          return { votes: countVotes(found, equalVotes(y, classes)), neighbor: found[0] };
        };
        decideBlock(block, prototypes.findHomes(block.Q), vote, decisions);
      }
      return decisions;
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
  const prototypes = new PrototypeIndex(model);
  const homeOf = (code: Floats) => argMax(code.map((h, j) => (neighbors.isEmpty(j) ? Number.NEGATIVE_INFINITY : h)));
  return {
    decide(Q) {
      const decisions: Decision[] = [];
      const codes = project(Q, model);
      const x = new Float64Array(Q.features);
      for (const block of prototypes.cosineBlocks(Q)) {
        const homes = Array.from({ length: block.Q.samples }, (_, i) => homeOf(codes.row(block.first + i)));
        const vote = (i: number) => {
          readRow(block.Q, i, x);
          const found = neighbors.search(x, [homes[i]], 1, "distance");
          return { votes: countVotes(found, equalVotes(y, classes)), neighbor: found[0] };
        };
        decideBlock(block, homes, vote, decisions);
      }
      return decisions;
    },
    state: () => ({ Z: neighbors.samples(), y }),
  };
}

/** The codes of samples, n × k: of most methods non-negative least squares. */
function project(Q: Matrix, { W, k, settings }: Model): Dense {
  const { encode } = methodOf(settings);
  const penalty = weightsOfH(settings, W.features);
  const rule = encode === "binary" ? "nnls" : encode;
  return new Dense(Q.samples, k, encodeSamples(Q, rule, W.data as Float64Array, k, null, penalty).values!);
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

/** Refuses samples that the model was not fitted on: H belongs to those alone. */
function checkOwn({ model, Z }: Training, scheme: string): void {
  codesOf(model, scheme);
  const { k, labels, settings } = model;
  const W = model.W.data as Float64Array;
  const { encode } = methodOf(settings);
  const penalty = weightsOfH(settings, model.W.features);
  const found = Z.samples === labels.length ? labelSamples(Z, encode, W, k, null, penalty) : null;
  if (found?.every((label, i) => label === labels[i])) return;
  throw new OptionError(
    "scheme",
    scheme,
    `scheme "${scheme}" needs the ${labels.length} samples the model was fitted on, and these ${Z.samples} are different ones`,
  );
}
