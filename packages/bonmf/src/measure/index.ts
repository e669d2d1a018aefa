export { accuracy, clusteringAccuracy, matchClusters, purity } from "./accuracy.js";
export {
  type ClassReport,
  type ClassScores,
  type Confusion,
  classReport,
  confusion,
  type Scores,
} from "./class-report.js";
export { ami, mutualInformation, nmi, vMeasure } from "./information.js";
export type { Label, Labels, Predictions } from "./labels.js";
export { resampleCounts, shuffleFeatures } from "./null-reference.js";
export { drawOneGroup } from "./one-group.js";
export { ari } from "./rand-index.js";
export { orthogonalityDefect, relativeError, singlePrototypeError } from "./reconstruction.js";
export {
  type SilhouetteOptions,
  type Silhouettes,
  type SilhouettesOptions,
  silhouette,
  silhouettes,
} from "./silhouette.js";
