export { type SparkCode, SparkError } from "./connect/index.js";
export type { SparkInput } from "./input.js";
export type { Target } from "./labels.js";
export { isLoss } from "./server-loss.js";
export { type SparkOptions, type SparkSource, sparkEngine } from "./source.js";
