import type { InitName, KChoice, KTrial, MethodName, Positions, ScaleName, Stopped } from "bonmf";
import type { ColumnType } from "bonmf-data";
import type { Findings, Piece } from "bonmf-report";
import type { Choice, Role } from "../data/choice.js";
import type { Packed } from "../data/project-file.js";
import type { Item, Kind, Label, Parts, Size } from "../data/source.js";

/** What the page asks of its worker, which holds the data and does all the work. */
export interface Session {
  /**
   * @param part a sheet or a member, see `Parts`
   * @param vectors a file with vectors of the documents
   */
  open(items: readonly Item[], part?: string, vectors?: Item): Promise<Preview>;
  openExample(name: string): Promise<Preview>;
  prepare(choice: Choice): Promise<Summary>;
  /** Where some of many samples lie, roughly and soon; null: `chart` takes no longer. */
  sketch(order: Order): Promise<Sketch | null>;
  /** The plane all samples lie in, scaled as a fit would scale them. */
  chart(order: Order): Promise<Plane>;
  /** Starts a fit; `step` events follow. Resolves when the fit ends, is paused or is cancelled. */
  fit(id: number, order: Order, control: Int32Array | null): Promise<Ending>;
  /** Goes on with a fit; one that was stopped before its first sweep, or finds topics, begins again. */
  resume(id: number, order: Order, control: Int32Array | null): Promise<Ending>;
  /** Stops the running fit after its current sweep and keeps its model. */
  stop(): Promise<void>;
  /** Where the samples lie on the map of a run's scale and metric, so far; `map` events follow until it is finished. */
  spread(id: number): Promise<Places>;
  /** @param groups see `merge` */
  restore(id: number, order: Order, bytes: Uint8Array, groups: readonly number[]): Promise<RunInfo>;
  /**
   * Takes clusters together: everything told of the run is of the merged ones from now on.
   *
   * @param groups for each cluster the lowest of those it is merged with
   */
  merge(id: number, groups: readonly number[]): Promise<RunInfo>;
  forget(id: number): Promise<void>;
  findings(id: number): Promise<Findings>;
  find(id: number, query: Query): Promise<Page>;
  /** A few words about a sample, for the map. */
  glimpse(sample: number): Promise<Glimpse>;
  /** What the map of a run is coloured by. */
  column(id: number, by: ColourBy): Promise<Column>;
  /** The samples whose name, label or text has a text in it, ascending. */
  search(text: string): Promise<Uint32Array>;
  /** All samples that a query finds, ascending. */
  match(id: number, query: Filter): Promise<Uint32Array>;
  /** What selected samples are, beside all of them. */
  describeSelection(id: number, samples: Uint32Array): Promise<SelectionInfo>;
  sample(id: number, sample: number): Promise<Detail>;
  /** The samples nearest to one, by angle. */
  neighbors(id: number, sample: number): Promise<readonly NeighborRow[]>;
  classify(id: number, input: Input): Promise<Answer | Refusal>;
  /** The clusters of the samples in other files, read as those of the run. */
  classifyFile(id: number, items: readonly Item[]): Promise<Classified>;
  compare(left: number, right: number): Promise<Comparison>;
  /**
   * Recommends a number of clusters; `search` events follow. Where it is stopped, what is known so far.
   *
   * @param ks the numbers to try; null: a range by the number of samples
   */
  choose(order: Order, ks: readonly number[] | null): Promise<KChoice>;
  /** The project as one file; `included`: with its data. */
  pack(packed: Packed, included: boolean): Promise<Blob>;
  /** @param given files that a project without its data may refer to */
  unpack(item: Item, given: readonly Item[]): Promise<{ packed: Packed | null; missing: readonly string[] }>;
  /** The opened table as CSV. */
  table(): Promise<string>;
  /** @param names one a cluster, "" where it has none; they go into the file, as merges do */
  save(id: number, names?: readonly string[]): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * @param names one a cluster; null: no column for them
   * @param only the samples whose rows are wanted, ascending; default: all
   */
  assignments(id: number, names: readonly string[] | null, only?: Uint32Array | null): Promise<string>;
}

/** Events the worker sends. */
export type Event =
  | { readonly type: "reading"; readonly read: number; readonly total: number }
  | { readonly type: "step"; readonly step: Step }
  | { readonly type: "search"; readonly search: Search }
  | { readonly type: "map"; readonly places: Places };

export interface Preview {
  readonly name: string;
  readonly kind: Kind;
  readonly form: "table" | "matrix";
  readonly rows: number;
  readonly columns: readonly ColumnInfo[];
  /** The first rows as texts, a list for each. */
  readonly head: readonly (readonly string[])[];
  /** Others that could be open in its place. */
  readonly parts: Parts | null;
  /** What the file itself says of its columns. */
  readonly choice: Choice;
  /** Missing values. */
  readonly missing: number;
  /** Files that could not be read, and were left out. */
  readonly broken: readonly string[];
  /** Classes that came with samples, for sources without columns. */
  readonly hasLabels: boolean;
  /** Where vectors of the documents could come from: columns of lists, then the file that is open beside. */
  readonly vectors: readonly string[];
}

export interface ColumnInfo {
  readonly name: string;
  readonly type: ColumnType;
  /** Whether some of the values are numbers. */
  readonly numeric: boolean;
  readonly missing: number;
  /** Numbers: the range. */
  readonly least: number | null;
  readonly most: number | null;
  /** Number of distinct values; null where they were not counted. */
  readonly different: number | null;
}

export interface Summary {
  readonly samples: number;
  readonly features: number;
  readonly featureNames: readonly string[] | null;
  readonly sparse: boolean;
  readonly form: "picture" | "text" | "table";
  readonly image: Size | null;
  /** Pictures: large values are ink, not light. */
  readonly ink: boolean;
  /** The first samples as greys; null where they are no pictures. */
  readonly pictures: readonly Uint8Array[] | null;
  /** Texts: how much of their likeness is that of their vectors; null where they have none. */
  readonly vectorWeight: number | null;
  /** Null without labels. */
  readonly classes: readonly Label[] | null;
  readonly k: number;
  /** What becomes of each column of a table. */
  readonly roles: readonly Role[];
  /** Whether the samples are the same as before: then the runs stay. */
  readonly kept: boolean;
  readonly notes: readonly string[];
  /** The mean of each feature of a table, for the form that classifies a new sample. */
  readonly means: readonly number[] | null;
}

/** Where the samples lie on one of the maps; samples that are compared in another way have another map. */
export interface Places extends Positions {
  /** The number of the map. */
  readonly map: number;
}

export interface Plane extends Places, Scaling {
  /** The samples whose clusters `step` events tell; null: all. */
  readonly watched: Uint32Array | null;
}

export interface Scaling {
  readonly scale: ScaleName;
  /** Why this scaler; null where people chose it. */
  readonly reason: string | null;
}

/** The first places of some samples, until those of all are known. */
export interface Sketch extends Positions, Scaling {
  readonly of: Uint32Array;
}

export interface Order {
  readonly k: number;
  readonly method: MethodName;
  readonly scale: ScaleName | "auto";
  readonly seed: number;
  /** Null: as many as are cheap. */
  readonly restarts: number | null;
  readonly init: InitName | null;
  readonly maxIterations: number | null;
  /** Milliseconds to wait after each of the first sweeps, to let people watch. */
  readonly pace: number;
}

export interface Step {
  readonly id: number;
  readonly iteration: number;
  readonly restart: number;
  readonly potential: number;
  readonly relativeError: number;
  readonly changed: number;
  /** Clusters of the watched samples; not in every step. */
  readonly labels: Uint32Array | null;
  readonly snapshot: PrototypeSnapshot | null;
}

/** Prototypes while they form. */
export interface PrototypeSnapshot {
  readonly sizes: readonly number[];
  /** k pictures of greys, 0 … 255, one after the other. */
  readonly pictures: Uint8Array | null;
  readonly words: readonly (readonly string[])[] | null;
}

export interface Ending {
  readonly state: "done" | "stopped";
  /** Null where a fit was stopped before its first sweep. */
  readonly info: RunInfo | null;
}

export interface RunInfo {
  readonly id: number;
  readonly order: Order;
  readonly iterations: number;
  readonly stopped: Stopped;
  /** The share that the prototypes explain of what a single one leaves; null for a fit that was stopped early. */
  readonly explained: number | null;
  readonly relativeError: number;
  readonly potential: number;
  readonly seconds: number;
  /** Whether the GPU found the labels. */
  readonly gpu: boolean;
  /** The sizes of the clusters found, before any were merged. */
  readonly counts: readonly number[];
  readonly accuracy: number | null;
  readonly nmi: number | null;
  readonly ari: number | null;
  /** The clusters found, before any were merged. */
  readonly labels: Uint32Array;
  /** The objective after each sweep. */
  readonly history: readonly Moment[];
}

export interface Moment {
  readonly iteration: number;
  readonly potential: number;
  readonly relativeError: number;
  readonly changed: number;
}

/** Which samples. */
export interface Filter {
  readonly cluster: number | null;
  readonly label: string | null;
  readonly text: string;
  /** Only these samples, ascending; null or missing: all. */
  readonly among?: Uint32Array | null;
}

export interface Query extends Filter {
  readonly sort: "order" | "typical" | "borderline";
  readonly from: number;
  readonly count: number;
}

export interface SelectionInfo {
  readonly samples: number;
  /** The most frequent labels of the selected samples; null without labels. */
  readonly labels: readonly { readonly label: string; readonly selected: number; readonly all: number }[] | null;
  readonly closeness: Histogram;
  /** The mean of pictures. */
  readonly picture: Uint8Array | null;
  /** Of texts: what the selected ones have more of. */
  readonly words: readonly string[];
  /** Of tables: the features in which they differ most from the others. */
  readonly features: readonly Histogram[];
}

/** Counts in bins of equal width from `least` to `most`. */
export interface Histogram {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly selected: readonly number[];
  readonly all: readonly number[];
}

export interface Page {
  readonly total: number;
  readonly rows: readonly Row[];
}

export interface Row {
  readonly sample: number;
  readonly id: string;
  readonly label: string | null;
  readonly cluster: number;
  readonly cosine: number;
  readonly margin: number;
  readonly pixels: Uint8Array | null;
  /** The beginning of its text, or its values in words. */
  readonly text: string;
  /** Of a text: a passage, with the words of its cluster marked; of one sample all of it. */
  readonly passage: readonly Piece[];
}

/** What the map shows of a sample. */
export type Glimpse = Pick<Row, "sample" | "id" | "label" | "pixels" | "text">;

/** What colours the samples, beside clusters. */
export type ColourBy =
  | { readonly by: "class" }
  | { readonly by: "closeness" }
  /** A feature of a matrix or of texts, by its name or as #number. */
  | { readonly by: "feature"; readonly feature: string }
  /** A column of the table, whether it is a feature or not. */
  | { readonly by: "column"; readonly column: string };

/** Values of all samples. */
export type Column =
  | { readonly type: "groups"; readonly of: Uint32Array; readonly names: readonly string[] }
  /** NaN where a value is missing; dates in milliseconds since 1970. */
  | { readonly type: "numbers"; readonly values: Float64Array; readonly date: boolean };

export interface Detail extends Row {
  readonly rival: number | null;
  readonly cells: readonly (readonly [name: string, value: string])[];
  readonly reasons: readonly Reason[];
}

/** Weight of a feature for the cluster, or (below 0) for the runner-up. */
export interface Reason {
  readonly name: string;
  readonly weight: number;
}

export type Input =
  | { readonly type: "values"; readonly values: readonly number[] }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "picture"; readonly blob: Blob };

/** Why a new sample cannot be classified. */
export interface Refusal {
  readonly refused: string;
  /** The feature whose value is wrong; null: all of it. */
  readonly feature: number | null;
}

/** What became of the samples of a file. */
export interface Classified {
  readonly csv: string;
  readonly samples: number;
  /** How many went into each cluster, the largest first. */
  readonly clusters: readonly { readonly cluster: number; readonly samples: number }[];
}

export interface NeighborRow extends Row {
  /** The cosine of the angle to it. */
  readonly closeness: number;
}

export interface Answer {
  readonly cluster: number;
  readonly rival: number | null;
  readonly cosine: number;
  readonly margin: number;
  /** All clusters, the closest first. */
  readonly closest: readonly { readonly cluster: number; readonly cosine: number }[];
  readonly label: string | null;
  readonly share: number | null;
  /** The training samples nearest to it. */
  readonly neighbors: readonly NeighborRow[];
  readonly reasons: readonly Reason[];
  /** What was seen of a picture. */
  readonly pixels: Uint8Array | null;
  /** Words of a text that the model knows, and some that it does not. */
  readonly known: number;
  readonly unknown: readonly string[];
}

export interface Comparison {
  readonly ari: number;
  readonly nmi: number;
  /** Clusters of the right run as classes of the left one's samples. */
  readonly findings: Findings;
  /** Where the samples lie on the left run's map. */
  readonly positions: Positions;
  /** Clusters matched one to one, so that as many samples as possible stay together; null: without a partner. */
  readonly pairs: readonly {
    readonly left: number | null;
    readonly right: number | null;
    readonly shared: number;
    readonly sizes: readonly [left: number, right: number];
  }[];
  /** Samples that are not in the partner of their cluster, the largest group first. */
  readonly moved: readonly { readonly from: number; readonly to: number; readonly samples: Uint32Array }[];
  /** The cluster of each sample in the left run, and in the right. */
  readonly labels: readonly [left: Uint32Array, right: Uint32Array];
}

/** How far the search for a number of clusters is. */
export interface Search {
  readonly done: number;
  readonly total: number;
  /** The share of the first part that is done. */
  readonly measured: number;
  readonly trial: KTrial | null;
}
