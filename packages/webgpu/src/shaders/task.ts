/** What every kernel is told of a step, and of the part of the samples that it works on. */
export const TASK = /* wgsl */ `
struct Task {
  samples: u32,      // of this part
  features: u32,
  quads: u32,        // vectors of four that hold a row
  k: u32,
  begin: u32,        // the samples that this dispatch labels: begin … end − 1
  end: u32,
  first: u32,        // the number of the part's first sample in the whole data
  fresh: u32,        // 1: the sums are empty, every sample is added
  tiles: u32,        // of 64 prototypes
  zeroLabel: u32,    // the label of a sample without any value but 0
  base: f32,         // two scores may be off by base + slope · ‖x‖ together
  slope: f32,
  listed: u32,       // 1: only the samples in the list of doubts are labelled
  angular: u32,      // 1: distances are chords between unit vectors
  loose: f32,        // a bound on a length is larger by this share at most
  least: f32,        // of samples shorter than this nothing is known
  farthest: u32,     // the prototype that has moved farthest since the last step
  drift: f32,        // how far
  other: f32,        // and how far any other, at most
  zero: u32,         // 0, which no compiler knows (nearest.ts)
}
@group(0) @binding(0) var<uniform> task: Task;
`;

/** Bytes of a `Task`. */
export const TASK_BYTES = 80;

/** What the GPU adds up: numbers of 32 bits at the head, then k rows of m + 1 sums of 64 bits, the last one of weights. */
export const HEAD = {
  changed: 0,
  hash0: 1,
  hash1: 2,
  settled: 3,
  doubts: 4,
  entries: 5,
  listed: 6,
  scored: 7,
  length: 8,
} as const;

/** Lower than every score, and far enough from infinity that differences are finite. */
export const LOWEST = "-4.2535295865117308e37";
