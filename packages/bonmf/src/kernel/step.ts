/** How a sample's code is kept: one label, a label with a coefficient on that prototype, or k coefficients. */
export type Form = "labels" | "rays" | "real";

/** n cluster numbers, in the narrowest type that holds k. */
export type Labels = Uint8Array | Uint16Array | Uint32Array;

/** H, sample by sample, beside the samples it belongs to. */
export interface Codes {
  /** How codes are stored. */
  readonly form: Form;
  /** The number of clusters. */
  readonly k: number;
  /** n labels for `labels` and `rays`. */
  readonly labels: Labels | null;
  /** n values for `rays`, n × k for `real` (sample i's column of H is contiguous). */
  readonly values: Float64Array | null;
}

export function allocateLabels(samples: number, k: number): Labels {
  if (k <= 0x100) return new Uint8Array(samples);
  return k <= 0x10000 ? new Uint16Array(samples) : new Uint32Array(samples);
}

export function allocateCodes(form: Form, samples: number, k: number): Codes {
  return {
    form,
    k,
    labels: form === "real" ? null : allocateLabels(samples, k),
    values: form === "labels" ? null : new Float64Array(form === "real" ? samples * k : samples),
  };
}

/** How a sample and a prototype are compared: by angle, by distance, or by the distance to the prototype's ray. */
export type Fit = "cosine" | "distance" | "ray";

/**
 * One sweep over the samples, as plain data, so that it can cross a worker, a socket or a cluster. The rules are
 * named; `kernel/plain/sweep` knows what they do to h, the sample's column of H, given x, W and a k × k matrix.
 *
 * | rule | h becomes |
 * |---|---|
 * | cosine | the label of the largest ⟨x,w⟩/‖w‖ |
 * | distance | the label of the smallest ‖x − w‖ |
 * | ray | the label of the largest cosine, with the coefficient ⟨x,w⟩/‖w‖² |
 * | multiply | h ∘ (Wᵀx + αh) ⊘ (gram·h + l1) |
 * | root | h ∘ √(Wᵀx ⊘ gram·h) |
 * | divide | h ∘ Wᵀ(x ⊘ Wh) ⊘ (Wᵀ1 + l1), several times; the sums use x ⊘ Wh in place of x |
 * | cyclic | each entry in turn its non-negative optimum, several times, until it has settled, gram = WᵀW |
 * | binary | each entry in turn 0 or 1, whichever is nearer the optimum, gram = WᵀW |
 * | nnls | the non-negative least-squares solution, gram = WᵀW |
 * | linear | max(floor, gram·Wᵀx) |
 * | uniform | random in [0, 1) |
 * | hold | what it was |
 * | probe | what it was; the sums use gram·Wᵀx in its place |
 * | survey | what it was; norms only |
 * | race | what it was; draws samples by their dissimilarity to W |
 * | softmax | what it was: labels are classes; the sums use p − y, the errors of logistic regression with coefficients W, in its place |
 */
export type RuleName =
  | "cosine"
  | "distance"
  | "ray"
  | "multiply"
  | "root"
  | "divide"
  | "cyclic"
  | "binary"
  | "nnls"
  | "linear"
  | "uniform"
  | "hold"
  | "probe"
  | "survey"
  | "race"
  | "softmax";

export interface Step {
  readonly rule: RuleName;
  readonly k: number;
  /** k × m: prototype j is contiguous. */
  readonly W: Float64Array;
  /** k × k. */
  readonly gram?: Float64Array;
  /** For `softmax`: k intercepts. */
  readonly bias?: Float64Array;
  readonly alpha?: number;
  /** For `multiply`, `divide`, `cyclic` and `nnls`: the weight of Σh in the loss of a sample. Where it is given, Σ ω h is summed. */
  readonly l1?: number;
  /** For `divide`: that of ½Σh²; the others have it on the diagonal of `gram`. */
  readonly l2?: number;
  /** For `cyclic`, `binary` and `divide` (0: the codes stay as they are): how many times through the entries, at most. */
  readonly sweeps?: number;
  /** For `cyclic`: how far to go beyond the optimum, as a share of the way there, where the loss allows. */
  readonly beyond?: number;
  /** Codes begin from zeros (`divide`: ones), not from those at hand. For `race`: forget earlier prototypes. */
  readonly fresh?: boolean;
  /** For `linear` and `probe`: the least value an entry may have; absent means any. */
  readonly floor?: number;
  /** For `linear` and `uniform`: entries of ½ or more become 1, the others 0. */
  readonly round?: boolean;
  /** For `uniform` and `race`. */
  readonly seed?: number;
  readonly stream?: number;
  /** Only the codes are wanted: nothing is summed. */
  readonly codesOnly?: boolean;
  /** For `probe`: which sums are wanted; absent: both. */
  readonly only?: "XHt" | "HHt";
  /**
   * For `linear` and `probe` (without `gram`), `multiply`, `root`, `cyclic` and the `hold` that goes with them: products of 32-bit samples are summed in 32 bits
   * (kernel/prepared-prototypes); about the length of a sample, a power of two. Absent, everything is summed in 64 bits.
   */
  readonly float32?: number;
  /** With `float32`: how many samples' XHᵀ is summed so; a power of two, at most 128. Absent: 64. */
  readonly run?: number;
  /**
   * m numbers: of codes that no sample can exceed ‖x‖/‖w‖ twice by, sums in 32 bits over runs of samples are exact on these
   * (kernel/sums). Not for samples with gaps.
   */
  readonly sumGrid?: Float64Array;
  /**
   * m numbers: sums by label are exact on these grids (kernel/sums). For `softmax` of several scores: products of 32-bit samples are
   * summed in 32 bits, and their sums over runs of samples are exact on these.
   */
  readonly grid?: Float64Array;
  /**
   * For `softmax` with such a grid: each term of the sums is rounded to it by itself, in 64 bits. Sparse samples have few terms for each feature of
   * a run: this is faster there.
   */
  readonly byTerm?: boolean;
  /** The same for the sums of weights. */
  readonly weightGrid?: number;
  /** Samples count as scaled to length 1. */
  readonly unit?: boolean;
  /** For `hold` and `race`: what ranks a sample. */
  readonly fit?: Fit;
  /** How many samples to rank: longest (`survey`), worst fitting (`hold`; real codes need `gram`), first drawn (`race`). */
  readonly rank?: number;
}

/** The form a rule leaves its codes in; null: it leaves them alone. */
export const FORM: Record<RuleName, Form | null> = {
  cosine: "labels",
  distance: "labels",
  ray: "rays",
  multiply: "real",
  root: "real",
  divide: "real",
  cyclic: "real",
  binary: "real",
  nnls: "real",
  linear: "real",
  uniform: "real",
  hold: null,
  probe: null,
  survey: null,
  race: null,
  softmax: null,
};

/** Whether a step's real codes follow from those at hand. */
export function goesOnFrom({ rule, fresh, k }: Step, codes: Codes | null): boolean {
  return !fresh && rule !== "linear" && rule !== "uniform" && codes?.form === "real" && codes.k === k;
}
