// Samples and the packed prototypes they are scored against: written by kernel/simd/structs.ts in this order.
@unmanaged
export class Deck {
  m: i32; sparse: i32; k: i32;
  // In a group.
  panels: i32;
  X: usize; indices: usize; values: usize;
  packed: usize; packedBias: usize; names: usize;
}

// Where everything of a one-hot sweep lies: written by kernel/simd/structs.ts in this order, numbers first, then addresses.
@unmanaged
export class Plan {
  // What rounding can do to a squared distance is e0 + (e1 + e2‖x‖)‖x‖; to a bound as it is stored, slack.
  e0: f64; e1: f64; e2: f64; slack: f64;
  // A weight plus this minus this is the weight as it is counted.
  weightGrid: f64;
  // What rounding to 16 bits can do to a squared distance, for each ‖x‖ if not by angle.
  blur: f64;
  // Whether budgets hold; whether samples are scored in 16 bits first.
  bounded: i32; screens: i32;
  // How many samples have moved in this sweep; how many 16 bits left in doubt.
  changed: u32; doubted: u32;
  // A fingerprint of all labels.
  hash0: u32; hash1: u32;
  deck: Deck;
  m: i32; k: i32; sparse: i32; angular: i32;
  // The number of the first sample; how many are taken at a time.
  offset: u32; chunk: i32;
  // Whether samples are so short that their lines are fetched ahead.
  scattered: i32;
  // Lower bounds a sample keeps: one a group, or none.
  lowersEach: i32;
  X: usize; indices: usize; values: usize; norms: usize; scales: usize; weights: usize;
  // Samples in 16 bits; prototypes likewise, and what their scores are multiplied by; room for a tile, and for what its scores
  // come to.
  codeBytes: i32; codes: usize; coarse: usize; codeScales: usize; tile: usize; told: usize;
  // Prototypes as rows, and their biases.
  rows: usize; biases: usize; groupOf: usize;
  // How far prototypes have come: f64 × k; with the farthest of the others, f64 and (rounded up) f32 × k; the farthest of the
  // others of its group, f64 × k; the farthest of each group, f64 × G; both, as they concern a prototype, f32 × k × G.
  ways: usize; reaches: usize; caps: usize; owns: usize; spans: usize; tolls: usize;
  // What samples keep between sweeps.
  labels: usize; budgets: usize; uppers: usize; lowers: usize;
  sums: usize; grid: usize; counts: usize;
  // Pairs (sample, label before).
  moved: usize;
  // For one chunk of samples.
  list: usize; slots: usize; ids: usize; best: usize; second: usize; label: usize;
  tops: usize; runners: usize; winners: usize; masks: usize;
}
