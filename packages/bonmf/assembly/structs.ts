// Samples and the packed prototypes they are scored against. scripts/kernel-types.js derives the offsets that TypeScript uses.
@unmanaged
export class ScoreInput {
  m: i32; sparse: i32; k: i32;
  // Panels in a group.
  panels: i32;
  // Dense: the values. Sparse: offsets, with indices and values.
  X: usize; indices: usize; values: usize;
  // The panels, their biases, and the label of each column.
  packed: usize; packedBias: usize; columnLabels: usize;
  // Of samples with gaps (else 0): offsets and features of what is listed of each, and whether that is what it knows.
  gapOffsets: usize; gapFeatures: usize; gapsKnown: i32;
  // Whether prototypes are unit vectors, compared by angle.
  angular: i32;
}

// All that a pruned one-hot sweep reads and writes, numbers and addresses.
@unmanaged
export class AssignState {
  // The fields up to hash0 are written for each step (kernel/simd/pruned-assignment.ts).
  // Rounding changes a squared distance by at most e0 + (e1 + e2‖x‖)‖x‖, and a stored bound by at most slack.
  e0: f64; e1: f64; e2: f64; slack: f64;
  // (ω + weightGrid) − weightGrid is the weight that is counted.
  weightGrid: f64;
  // What rounding to 16 bits changes of a squared distance; by distance, for each ‖x‖.
  int16Error: f64;
  // How many products of a sample and a prototype a thread has taken, when its part of a sweep has ended.
  products: f64;
  // Whether the bounds hold for the prototypes of the step before; whether samples are scored in 16 bits first.
  boundsHold: i32; screening: i32;
  // How many samples have moved in this sweep; how many the 16-bit scores left undecided.
  changed: u32; unresolved: u32;
  // A fingerprint of all labels.
  hash0: u32; hash1: u32;
  input: ScoreInput;
  m: i32; k: i32; sparse: i32; angular: i32;
  // The number of the first sample; how many are taken at a time.
  offset: u32; chunk: i32;
  // Whether samples are so short, and so many, that their cache lines are touched before they are scored.
  prefetch: i32;
  // Lower bounds a sample keeps: one a group (Yinyang), or 0 where it has only a budget (Hamerly).
  groups: i32;
  X: usize; indices: usize; values: usize; norms: usize; scales: usize; weights: usize;
  // Samples in 16 bits, bytes of each; prototypes likewise, and the factors of their scores; eight samples transposed; and
  // working memory for eight labels, gaps and products.
  int16Bytes: i32; int16Samples: usize; int16Prototypes: usize; int16Scales: usize; int16Tile: usize; int16Results: usize;
  // Prototypes as rows, and their biases.
  rows: usize; biases: usize; groupOf: usize;
  // Drift, summed over all steps: of a prototype, f64 × k; of a prototype and the farthest-moved other, f64 × k and, rounded
  // up, f32 × k; of the farthest-moved other of its group, f64 × k; of each group, f64 × G; the last two as they concern each
  // prototype, f32 × k × G.
  drifts: usize; pairDrifts: usize; pairDrifts32: usize; otherDrifts: usize; groupDrifts: usize; groupDrifts32: usize;
  // What samples keep between sweeps.
  labels: usize; budgets: usize; uppers: usize; lowers: usize;
  sums: usize; grid: usize; counts: usize;
  // A byte for each cluster, set to 1 where its sums have changed.
  touched: usize;
  // Pairs (sample, label before).
  moved: usize;
  // For one chunk of samples: those listed; of one group's scores, places in the list, ids, and results; the best results so
  // far; groups still to be scored, as bits.
  listed: usize; places: usize; ids: usize; best: usize; second: usize; label: usize;
  topScores: usize; secondScores: usize; topLabels: usize; masks: usize;
}

// What the rule `divide` reads and writes.
@unmanaged
export class DivideState {
  l1: f64; l2: f64;
  // With several sweeps, a code ends when one moves less than this share of its mass.
  settled: f64;
  m: i32; k: i32; sparse: i32; sweeps: i32;
  // Whether more than the codes is wanted.
  summing: i32;
  indices: usize; values: usize;
  // W and the sums S, a row a feature; Σ of each prototype; codes and weights of a chunk of samples.
  W: usize; S: usize; masses: usize; H: usize; weights: usize;
  // Of samples with gaps (else 0): offsets of the first sample and features of what is listed of each, whether that is what it
  // knows, and Σ ω h at listed features, a row a feature.
  gapOffsets: usize; gapFeatures: usize; gapsKnown: i32; listed: usize;
  // Σ ω (x ln(x ⊘ Wh) − x), Σ ω ⟨x, Wh⟩ and Σ ω (Wh)² at listed features so far.
  totals: usize;
  // For one sample with gaps, Σ of each prototype at the features it knows; with several sweeps, codes two and one steps ago and now.
  known: usize; start: usize; first: usize; second: usize;
  // For one sample: its code, Wᵀ(x ⊘ Wh), Wh, x ⊘ Wh, and of a dense one the features and values that are not 0.
  h: usize; above: usize; products: usize; quotients: usize; places: usize; entries: usize;
}
