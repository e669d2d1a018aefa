/** The seam between algorithms and data, for engines of one's own: `bonmf/engine`. */

export { type PreparedPrototypes, preparePrototypes } from "../kernel/prepared-prototypes.js";
export { isMostlyZero } from "../kernel/simd/dense-to-csr.js";
export { squaredNorms } from "../kernel/squared-norms.js";
export { allocateCodes, type Codes, type Fit, FORM, type Form, type RuleName, type Step } from "../kernel/step.js";
export { insertRanked, type Layout, makeSums, mergeSums, type Ranked, type Sums, zeroSums } from "../kernel/sums.js";
export type { Gaps } from "../matrix/gaps.js";
export { checkValues, type Matrix } from "../matrix/matrix.js";
export { learnSteps, restoreScaler, type State, type Visited } from "../scale/scaler.js";
export type { Engine, Memory, RemoteEngine, ShardOptions } from "./engine.js";
export { type EngineOptions, memorySource, openEngine, openShard } from "./in-memory.js";
export { type StreamOptions, streamSource } from "./out-of-core.js";
export { pool } from "./pool.js";
export type { MakeSource, OpenOptions, SampleOptions, Source } from "./source.js";
export { blockSize, emptyStats, mergeStats, pushStats, type Stats, totalStats } from "./stats.js";
export type { Reader, ReaderModule, Stored } from "./stored.js";
export { type Survey, surveyData } from "./survey.js";
export { runSteps, yieldIfDue } from "./yield.js";
