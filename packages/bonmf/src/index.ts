export type { KChoice, KTrial } from "./choose/choice.js";
export { type ChooseOptions, type ChooseProgress, chooseK } from "./choose/choose-k.js";
export type { GapStep } from "./choose/gap-path.js";
export type { HeldOutStep } from "./choose/held-out.js";
export { chooseRank, type HiddenError, type RankChoice, type RankOptions } from "./choose/hidden-entries.js";
export { type AutoOptions, type AutoResult, auto, type Candidate, type SearchStep } from "./classify/auto.js";
export type { Metric, VoteRule } from "./classify/ballot.js";
export type { CalibrationMap } from "./classify/calibration.js";
export {
  Classifier,
  type ClassifierOptions,
  classifier,
  type Explanation,
  type RejectOptions,
  type TrainingOptions,
} from "./classify/classifier.js";
export { loadClassifier, saveClassifier } from "./classify/classifier-file.js";
export type { Evidence } from "./classify/decision.js";
export { folds, holdout, type Split } from "./classify/folds.js";
export { type NeighborOptions, type Neighbors, neighbors } from "./classify/neighbors.js";
export { isQuantity, type NumericLabels, numericLabels } from "./classify/quantity.js";
export type { Neighbor } from "./classify/query.js";
export type { SchemeName } from "./classify/scheme.js";
export { allocateDense } from "./engine/memory/allocate-dense.js";
export type { MakeSource, SampleOptions, Source } from "./engine/source.js";
export { BonmfError, DataError, FormatError, MemoryError, OptionError, type Place } from "./errors.js";
export type { Moment, Stopped } from "./factor/iterate.js";
export { takesSigned } from "./factor/methods/index.js";
export type { InitName, MethodName, Settings } from "./factor/settings.js";
export { type Imputation, type ImputeOptions, impute } from "./impute/impute.js";
export * from "./io/index.js";
export type { Codes, Form, Labels as ClusterLabels } from "./kernel/step.js";
export {
  type MapOptions,
  type MapSamplesOptions,
  type MapStep,
  mapSamples,
  mapSteps,
  type Positions,
} from "./map/map-samples.js";
export { Dense, type Floats, type Precision } from "./matrix/dense.js";
export type { Matrix, Samples } from "./matrix/matrix.js";
export { Sparse } from "./matrix/sparse.js";
export * from "./measure/index.js";
export { AbortError } from "./model/abort.js";
export type { Errors, Membership } from "./model/answers.js";
export { chooseScale, type ScaleChoice, type ScaleHints } from "./model/auto-scale.js";
export type { EngineChoice, EngineName } from "./model/engine-choice.js";
export { fit, fitTransform, type KeepOptions, type ResumeOptions, resume } from "./model/fit.js";
export { Model } from "./model/model.js";
export { loadModel, saveModel } from "./model/model-file.js";
export type { FitOptions, StartReport, StepReport, Tags, WatchOptions } from "./model/options.js";
export { type PredictOptions, predict } from "./model/predict.js";
export type { Distance } from "./model/prototype-index.js";
export { chooseRestarts } from "./model/restarts.js";
export { fitScaler, type ScaleName, type Scaler } from "./scale/scaler.js";
export { type FeatureSummary, summariseFeatures } from "./scale/summary.js";
export type { Stem } from "./text/stems.js";
export { STOP_WORDS, WEB_WORDS } from "./text/stop-words.js";
export type { TextList } from "./text/texts.js";
export { type CountOptions, countedAs, countWords, type WordCounts } from "./text/word-counts.js";
export { describeSegmenter, isUnspaced, splitWords } from "./text/words.js";
export { blendVectors } from "./topics/blend.js";
export { type ChooseTopicsOptions, chooseTopics } from "./topics/choose-topics.js";
export type { CountedDocuments, DocumentInput, TextDocuments } from "./topics/corpus.js";
export { countWordsInThreads, type ThreadedCountOptions } from "./topics/count-texts.js";
export { topics } from "./topics/find-topics.js";
export type { GroupedTopic, Moments, TopicsOverTime, TopicsPerClass } from "./topics/groups.js";
export type { Proposal } from "./topics/state.js";
export type { TopicOptions } from "./topics/topic-options.js";
export type { TopicWord } from "./topics/topic-words.js";
export { type SentenceWeights, type Topic, Topics } from "./topics/topics.js";
export { loadTopics, saveTopics } from "./topics/topics-file.js";
export { type KnownTopics, topicsOf } from "./topics/topics-of.js";
export type { TopicPrediction } from "./topics/weigh.js";
