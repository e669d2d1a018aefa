import { readFileSync } from "node:fs";
import type { Label, Scores } from "../../src/measure/index.js";

export interface Labeling {
  name: string;
  truth: Label[];
  other: Label[];
  clusteringAccuracy: number;
  purity: number;
  mutualInformation: number;
  nmi: number;
  ami: number;
  ari: number;
  vMeasure: { homogeneity: number; completeness: number; vMeasure: number };
}

export type Triple = [precision: number, recall: number, f1: number];

/** Where truth and other are of one type, so that scikit-learn takes them for classes. */
export interface Classified extends Labeling {
  accuracy: number;
  classes: Label[];
  counts: number[][];
  scores: Triple[];
  macro: Triple;
  weighted: Triple;
}

interface Fixture {
  labelings: (Labeling | Classified)[];
  silhouettes: { name: string; X: number[][]; labels: number[]; cosine: number; euclidean: number }[];
  factors: { X: number[][]; W: number[][]; codes: number[][]; relativeError: number; orthogonalityDefect: number }[];
}

/** scikit-learn's answers; fixtures/generate.py wrote them. */
export const fixture: Fixture = JSON.parse(readFileSync(new URL("./fixtures/measures.json", import.meta.url), "utf8"));

export const classified = fixture.labelings.filter((labeling) => "classes" in labeling);

export const toTriple = ({ precision, recall, f1 }: Scores): Triple => [precision, recall, f1];
