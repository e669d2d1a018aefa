export { accuracy, clusteringAccuracy, matchClusters, purity } from "./accuracy.js";
export { type Calibration, calibration, type ReliabilityBin } from "./calibration.js";
export {
  balancedAccuracy,
  type ClassReport,
  type ClassScores,
  type Confusion,
  classReport,
  confusion,
  type Scores,
} from "./class-report.js";
export { type CoherenceDocuments, cv, diversity, npmi } from "./coherence.js";
export { ami, mutualInformation, nmi, vMeasure } from "./information.js";
export { accuracyInterval } from "./interval.js";
export type { Label, Labels, Predictions } from "./labels.js";
export { type Joining, type Linkage, linkage } from "./linkage.js";
export { resampleCounts, shuffleFeatures } from "./null-reference.js";
export { drawOneGroup } from "./one-group.js";
export { brierScore, logLoss } from "./probabilities.js";
export { ari } from "./rand-index.js";
export { orthogonalityDefect, relativeError, singlePrototypeError } from "./reconstruction.js";
export { type RocAuc, type RocPoint, rocAuc, rocCurve } from "./roc.js";
export {
  type SilhouetteOptions,
  type Silhouettes,
  type SilhouettesOptions,
  silhouette,
  silhouettes,
} from "./silhouette.js";
