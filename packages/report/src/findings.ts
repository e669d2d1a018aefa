import type { KChoice, KTrial, MethodName, Moment, ScaleName, Settings, Stopped } from "bonmf";

/** What a sample looks like to a person: pixels, words, or numbers with names. */
export type Form = "picture" | "text" | "table";

/** Everything a report shows, as plain data: strings, numbers, lists, typed arrays. */
export interface Findings {
  /** The source of the samples, for display. */
  readonly source: string | null;
  readonly form: Form;
  readonly samples: number;
  /** Documents without any of the words: they are counted in `samples`, and are in no cluster. */
  readonly wordless: number;
  readonly features: number;
  readonly run: Run;
  /** Null where it was not measured. */
  readonly reference: Reference | null;
  /** How k was chosen; null where it was given. */
  readonly choice: Choice | null;
  /** The clusters shown; `clusters[j].cluster === j`. */
  readonly clusters: readonly Cluster[];
  /** Which clusters are most alike; null where there is one, or very many. */
  readonly hierarchy: Hierarchy | null;
  /** How clearly samples lie in their clusters; null where it cannot be measured. */
  readonly silhouettes: Silhouettes | null;
  /** For texts alone. */
  readonly topics: TopicFindings | null;
  /** For pictures alone. */
  readonly pictures: Pictures | null;
  readonly map: SampleMap;
  /** Null without labels. */
  readonly agreement: Agreement | null;
  readonly repeat: Repeat;
}

/** How the fit went. */
export interface Run {
  readonly method: MethodName;
  /** The clusters shown. */
  readonly k: number;
  /** The clusters found, before any were merged. */
  readonly fitted: number;
  readonly seed: number;
  readonly scale: ScaleName;
  /** How many samples the model was fitted on. */
  readonly trained: number;
  /** Whether these are those samples. */
  readonly same: boolean;
  readonly stopped: Stopped;
  readonly converged: boolean;
  /** The share of the best single prototype's squared error that the prototypes take away; k = 1 explains 0. */
  readonly explained: number;
  /** Of the samples shown here, in the scaler's units. */
  readonly relativeError: number;
  /** What the fit lowered, where that is not the squared error alone; its values are the potentials of the history. */
  readonly objective?: string | null;
  readonly history: readonly Pick<Moment, "iteration" | "potential" | "relativeError" | "changed">[];
  readonly repairs: number;
  /** Components of real codes that no training sample uses. */
  readonly dead: number;
  /** Samples orthogonal to their prototype, mostly all-zero samples. */
  readonly apart: number;
  /** The mean cosine of the samples to their prototypes. */
  readonly cosine: number;
}

/** What `chooseK` said. */
export interface Choice extends Pick<KChoice, "runnerUp" | "reason" | "sampled"> {
  /** 1 where there are no clusters. */
  readonly k: number;
  /** Whether there are clusters; null where gaps were not measured. */
  readonly structure: boolean | null;
  /** The smallest k first. */
  readonly trials: readonly Trial[];
}

/** The measures of one k; null where they were not measured. */
export interface Trial
  extends Pick<KTrial, "k" | "separation" | "reference" | "contrast" | "stability" | "silhouette" | "heldOut"> {
  readonly relativeError: number | null;
}

/** How clear clusters are. */
export interface Measures {
  readonly explained: number;
  /** The mean silhouette, by the method's own distance. */
  readonly silhouette: number;
  /** The mean cosine of the samples to their prototypes. */
  readonly cosine: number;
}

/** What the same method finds in data without clusters. */
export interface Reference {
  /** How many samples were drawn. */
  readonly samples: number;
  /** The measures of the clusters, on as many of the samples. */
  readonly own: Measures;
  /** The same of data without clusters: the mean of several draws, of two kinds the higher. */
  readonly chance: Measures;
  /** Whether the clusters are clearer than that. */
  readonly better: boolean;
}

/** A tree of the clusters by their prototypes, of k − 1 merges. */
export interface Hierarchy {
  /** The clusters in an order that draws the tree without crossings. */
  readonly order: readonly number[];
  /** 1 − cosine, or the distance, as the method compares samples. */
  readonly metric: "cosine" | "distance";
  /** The least distance first. Nodes 0 … k − 1 are the clusters, k + i is merge i. */
  readonly merges: readonly { readonly left: number; readonly right: number; readonly distance: number }[];
}

export interface Silhouettes {
  /** How many samples were measured. */
  readonly samples: number;
  readonly mean: number;
  /** Of each cluster the mean, null without samples, and at most 100 of the scores, the highest first. */
  readonly clusters: readonly { readonly mean: number | null; readonly scores: Float32Array }[];
}

/** What tells topics; entry j of each list belongs to cluster j. */
export interface TopicFindings {
  /** Given, or made of the most telling words; no two are alike. */
  readonly names: readonly string[];
  /** The coherence of the ten most telling words, 1 always together, 0 as by chance; null for fewer than two words. */
  readonly npmi: readonly (number | null)[];
  /** C_V of each topic, likewise. */
  readonly cv: readonly (number | null)[];
  /** The share of different words among the ten most telling of all topics. */
  readonly diversity: number;
  /** ln p(word | topic), and ln p(word | topic) − ln p(word): λ · share + (1 − λ) · lift is the relevance. */
  readonly words: readonly (readonly { readonly word: string; readonly share: number; readonly lift: number }[])[];
  /** Cosines between prototypes; null where there are very many. */
  readonly similarity: readonly (readonly number[])[] | null;
  /** Null without dates. */
  readonly time: TopicTimes | null;
}

/** Topics over spans of time. */
export interface TopicTimes {
  /** One more than spans, in milliseconds since 1970. */
  readonly edges: readonly number[];
  /** How each span is called. */
  readonly names: readonly string[];
  /** Documents of each span. */
  readonly totals: readonly number[];
  /** Of each topic the documents of each span, and the words that tell it there. */
  readonly topics: readonly {
    readonly counts: readonly number[];
    readonly words: readonly (readonly string[])[];
  }[];
}

export interface Cluster {
  readonly cluster: number;
  /** The model's number for it, of merged clusters the lowest: it is shown, and gives the colour. */
  readonly number: number;
  /** The name a person gave it; null: shown by number. */
  readonly name: string | null;
  readonly size: number;
  readonly share: number;
  /** The mean cosine of the members to the prototype: 1 where all point the same way; null without members. */
  readonly cosine: number | null;
  readonly majority: { readonly label: string; readonly share: number } | null;
  /** The prototype as width × height greys, of `pictures`; null for other data. */
  readonly picture: Uint8Array | null;
  /** The features that set it apart most, most first: up or down for tables, words that it has more of; none for pictures. */
  readonly distinctive: readonly DistinctiveFeature[];
  /** Members closest to the prototype. */
  readonly typical: readonly Member[];
  /** Members with the smallest margin to another cluster. */
  readonly borderline: readonly Member[];
}

export interface DistinctiveFeature {
  readonly name: string;
  /** Whether the cluster is above or below the others. */
  readonly direction: "high" | "low";
  /** With an effect, the means of members and of all others; else the prototype's value and the mean of all, scaled. */
  readonly value: number;
  readonly mean: number;
  /** Measured for tables. */
  readonly effect: Effect | null;
}

/** How members of a cluster differ from all other samples in one feature, in the samples' own units. */
export interface Effect {
  /** Cohen's d: the difference of the means in pooled standard deviations, −100 … 100. */
  readonly d: number;
  /** Its 95 % interval. */
  readonly from: number;
  readonly to: number;
  /** Mean and standard deviation of the members and of all others. */
  readonly average: number;
  readonly sd: number;
  readonly elsewhere: number;
  readonly elsewhereSd: number;
  /** All values are 0 or 1: means are shares. */
  readonly binary: boolean;
}

export interface Member {
  /** The sample's row, from 0. */
  readonly sample: number;
  readonly id: string;
  readonly label: string | null;
  /** Cosine to the own prototype, and its margin over the next one. */
  readonly cosine: number;
  readonly margin: number;
  /** The second-closest cluster; null for k = 1. */
  readonly rival: number | null;
  readonly preview: Preview;
}

/** A small view of one sample. */
export interface Preview {
  /** thumb.width × thumb.height greys. */
  readonly pixels: Uint8Array | null;
  /** The words with most weight, most first. */
  readonly words: readonly string[];
  /** A passage of the document in pieces; those marked are words that tell its cluster. Empty where there is none. */
  readonly passage: readonly Piece[];
  /** Values of the cluster's first distinctive features, in the samples' own units. */
  readonly values: readonly { readonly name: string; readonly value: number }[];
}

export interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

/** Greys are 0 … 255, row by row, top first. */
export interface Pictures {
  readonly width: number;
  readonly height: number;
  /** The size of members' pictures, reduced where there are many. */
  readonly thumb: Size;
  /** The size of the map's pictures. */
  readonly dot: Size;
  /** True: 0 is paper, large is ink (drawings, digits). False: large is light (photographs). */
  readonly ink: boolean;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Samples in the plane, at most 4000; entry p of each list belongs to the same sample. */
export interface SampleMap {
  /** Rows of the samples, ascending. */
  readonly samples: Uint32Array;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly clusters: Uint32Array;
  readonly cosines: Float32Array;
  readonly margins: Float32Array;
  readonly ids: readonly string[];
  /** Places in `agreement.classes`; null without labels. */
  readonly classes: Uint32Array | null;
  /** dot.width × dot.height greys a sample; null for other data. */
  readonly pixels: Uint8Array | null;
  /** Text: places in `vocabulary`, `each` a sample; `vocabulary.length` where there are fewer. */
  readonly words: {
    readonly vocabulary: readonly string[];
    readonly places: Uint32Array;
    readonly each: number;
  } | null;
  /** Texts: how each begins; null where they are not at hand. */
  readonly texts: readonly string[] | null;
  /** Tables: values of the first distinctive features of the sample's cluster, `each` a sample, NaN where there are fewer. */
  readonly values: { readonly numbers: Float32Array; readonly each: number } | null;
}

/** How clusters agree with classes. */
export interface Agreement {
  /** Numbers rising, then texts. */
  readonly classes: readonly string[];
  readonly labelAccuracy: number;
  /** Null where there are too many classes to match. */
  readonly clusteringAccuracy: number | null;
  readonly nmi: number;
  readonly ari: number;
  /** counts[c][j]: samples of class c in cluster j; null where the matrix is too large to show. */
  readonly counts: readonly (readonly number[])[] | null;
  /** All clusters, grouped by majority class, so that large counts lie near the diagonal. */
  readonly order: readonly number[];
  /** Scores when every cluster predicts its majority class. */
  readonly table: readonly ClassRow[];
  readonly baseline: { readonly label: string; readonly share: number };
}

export interface ClassRow {
  readonly label: string;
  readonly samples: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** The clusters whose majority it is. */
  readonly clusters: readonly number[];
}

/** How to reproduce the fit. */
export interface Repeat {
  readonly version: string;
  readonly settings: Settings & { readonly scale: ScaleName };
  readonly command: string | null;
  /** For the library. */
  readonly code: string;
}
