import type { Gaps } from "../../matrix/gaps.js";
import type { Matrix } from "../../matrix/matrix.js";
import { prepareKnown } from "../plain/gaps.js";
import { fillPanels, preparePrototypes } from "../prepared-prototypes.js";
import { gapFields, kernelsFor } from "../region.js";
import { allocateLabels, type Labels } from "../step.js";
import { makeGapStage, makeStage, scratchFor } from "./scratch.js";
import { type Struct, structBytes, writeStruct } from "./structs.js";

/** Samples that are scored together. */
const CHUNK = 512;

/**
 * The label of each sample on fixed prototypes, as a sweep finds it; null where kernels cannot
 * run or would not pay.
 *
 * @param W IN k × m
 */
export function findLabels(
  X: Matrix,
  rule: "cosine" | "distance",
  W: Float64Array,
  k: number,
  gaps: Gaps | null = null,
): Labels | null {
  const region = scratchFor(X, k);
  if (region === null) return null;
  const { features: m, precision } = X;
  const wide = precision === "f64";
  const sparse = X.kind === "sparse";
  const floats = (at: number, length: number) => (wide ? region.f64(at, length) : region.f32(at, length));
  const width = wide ? 6 : 12;
  const panels = Math.ceil(k / width);
  const [packed, packedBias] = [48 * panels * m, 48 * panels].map((bytes) => region.reserve(bytes, true));
  const [columnLabels, ids, labels] = [panels * width, CHUNK, CHUNK].map((count) => region.reserve(4 * count, true));
  const [best, second] = [0, 1].map(() => region.reserve(8 * CHUNK, true));
  const stage = makeStage(region, X, CHUNK);
  const gapStage = gaps && makeGapStage(region, gaps, CHUNK);
  const { rows, bias } = prepareKnown(preparePrototypes(rule, W, k, precision), gaps);
  fillPanels(rows, k, width, floats(packed, panels * width * m));
  floats(packedBias, panels * width)
    .fill(Number.NEGATIVE_INFINITY)
    .set(bias);
  for (const at of [columnLabels, ids]) count(region.u32(at, at === ids ? CHUNK : panels * width));

  const input = region.reserve(structBytes("ScoreInput"), true);
  const { X: first, indices, values } = stage;
  const score: Struct<"ScoreInput"> = {
    ...{ m, k, sparse: +sparse, X: first, indices, values },
    ...{ panels, packed, packedBias, columnLabels },
    ...gapFields(gapStage, rule === "cosine"),
  };
  writeStruct(region, "ScoreInput", input, score);
  const { clear, scoreGroup } = kernelsFor({ region, precision });
  const found = allocateLabels(X.samples, k);
  const results = region.u32(labels, CHUNK);
  for (let from = 0; from < X.samples; from += CHUNK) {
    const to = Math.min(from + CHUNK, X.samples);
    stage.copy(from, to);
    gapStage?.copy(from, to);
    clear(best, second, labels, to - from);
    scoreGroup(input, 0, ids, to - from, best, second, labels);
    found.set(to - from < CHUNK ? results.subarray(0, to - from) : results, from);
  }
  return found;
}

/** 0, 1, 2 … */
function count(list: Uint32Array): void {
  for (let i = 0; i < list.length; i++) list[i] = i;
}
