/** What the paper leaves open, and what is done here; docs/paper.md has the data. */
export interface Choice {
  readonly question: string;
  readonly choice: string;
}

export const CHOICES: readonly Choice[] = [
  {
    question: "which rows are trained on",
    choice: "80 % drawn at random for each run, not by class; all columns share the split",
  },
  { question: "what varies over the 30 runs", choice: "split and start: run r has seed + r for both" },
  { question: "k", choice: "the number of classes, as in the paper (1-NN and auto: their own)" },
  {
    question: "the label of a new sample",
    choice: "both readings: majority of the cluster (section 4.1), nearest member (section 4)",
  },
  {
    question: "the start",
    choice:
      "W: means of 10 of the 30 longest samples; H: least squares; negatives are clipped; ONMF: uniform, as in its library",
  },
  { question: "(WᵀW)⁻¹ where it does not exist (ORL: 40 > 30)", choice: "the pseudo-inverse" },
  {
    question: "the W step of Algorithm 1",
    choice: "the mean of the members; to the letter: the multiplicative rule, 0/0 = 0, zeros stay",
  },
  {
    question: "ties, empty clusters",
    choice: "lowest cluster; reseeded with the worst-fitting sample (to the letter: left empty)",
  },
  {
    question: "when to stop",
    choice:
      "Algorithm 1: no label changes; the others: 100 iterations, or the error moves by < 10⁻⁵ (ONMF: always 100)",
  },
  { question: "which ONMF", choice: "iONMF's rule with α = 1, which the paper ran, not Ding's, which it cites" },
  {
    question: "classes for Lee and Seung, Zhang et al.",
    choice: "least-squares code of the sample, then the training column of H at the smallest angle",
  },
  { question: "Zhang et al.: H⁰, sweeps", choice: "least squares rounded at ½; one sweep of the rows for each W step" },
  { question: "equally near training samples", choice: "the first in a fixed shuffle" },
  { question: "negative values (Svmguide)", choice: "scaler shift: features with negative values begin at 0" },
  { question: "Monkey, Pendigits", choice: "MONK's problem 1 (556 rows); all ten digits" },
  {
    question: "times",
    choice: "median of the runs that had the machine to themselves, one thread; CT includes making the classifier",
  },
  {
    question: "intervals",
    choice: "95 %, paired over the splits, widened because splits share samples (Nadeau and Bengio 2003)",
  },
];
