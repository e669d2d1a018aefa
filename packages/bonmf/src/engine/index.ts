/** The seam between algorithms and data, for engines of one's own: `bonmf/engine`. */
export { isMostlyZero } from "../kernel/simd/dense-to-csr.js";
export type { Codes, Fit, Form, RuleName, Step } from "../kernel/step.js";
export { insertRanked, type Layout, mergeSums, type Ranked, type Sums, zeroSums } from "../kernel/sums.js";
export { checkValues } from "../matrix/matrix.js";
export { learnSteps, restoreScaler, type State, type Visited } from "../scale/scaler.js";
export type { Engine, Memory, RemoteEngine, ShardOptions } from "./engine.js";
export { type EngineOptions, openEngine, openShard } from "./in-memory.js";
export { type StreamOptions, streamSource } from "./out-of-core.js";
export { pool } from "./pool.js";
export type { OpenOptions, Source } from "./source.js";
export { blockSize, emptyStats, mergeStats, pushStats, type Stats, totalStats } from "./stats.js";
export type { Reader, ReaderModule, Stored } from "./stored.js";
export { runSteps, yieldIfDue } from "./yield.js";
