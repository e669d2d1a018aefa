import type { InitName, MethodName, ScaleName } from "bonmf";

export const ABOUT_METHOD: Readonly<Record<MethodName, string>> = {
  bonmf: "One cluster a sample, by direction",
  spherical: "By direction alone; length does not count",
  kmeans: "By distance, the classic",
  "em-onmf": "Orthogonal, each sample with its own strength",
  nmf: "Parts that add up; a sample has several",
  hals: "Parts that add up, found faster",
  onmf: "Parts that hardly overlap",
  "onmf-ding": "Parts that hardly overlap, after Ding",
  "semi-binary": "Parts that are there or not",
};

export const ABOUT_SCALE: Readonly<Record<ScaleName, string>> = {
  none: "As they are",
  minmax: "Each feature from 0 to 1",
  shift: "Moved so that the least is 0",
  l2: "Each sample of length 1",
  tfidf: "Words by how distinctive they are",
  "sqrt-tfidf": "Words by how distinctive they are, repeated ones for less",
  split: "Negative values as features of their own",
  standard: "Each feature with mean 0 and deviation 1",
  lift: "Standardised, and angles measure distance",
  exponent: "All times one power of two, for extreme values",
};

/** The library's option names, listed here so that the first visit need not load the library. */
export const METHODS = Object.keys(ABOUT_METHOD) as readonly MethodName[];
export const SCALES = Object.keys(ABOUT_SCALE) as readonly ScaleName[];
export const INITS: readonly InitName[] = ["columns", "sample", "plusplus", "nndsvd", "random"];
