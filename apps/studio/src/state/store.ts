import { computed, signal } from "@preact/signals";
import type { KChoice, KTrial } from "bonmf";
import type { Findings } from "bonmf-report";
import type { Choice } from "../data/choice.js";
import type {
  Order,
  Places,
  Plane,
  Preview,
  PrototypeSnapshot,
  Query,
  RunInfo,
  Search,
  Sketch,
  Step,
  Summary,
} from "../session/protocol.js";
import type { Tab } from "./address.js";
import type { ClusterEdits } from "./cluster-edits.js";
import { nameFindings } from "./merge.js";
import type { Project } from "./project.js";

/** A fit under way, or one that is paused. */
export interface Live {
  readonly id: number;
  readonly order: Order;
  readonly state: "running" | "paused";
  readonly moments: readonly Step[];
  readonly restart: number;
  readonly labels: Uint32Array | null;
  readonly snapshot: PrototypeSnapshot | null;
}

/** The search for a number of clusters. */
export interface Searching {
  readonly progress: Search | null;
  readonly trials: readonly KTrial[];
}

/** A finished run, with the names and merges people gave its clusters. */
export interface Run extends ClusterEdits {
  readonly info: RunInfo;
}

/** Samples that people picked out on the map, by search or in a list; every view shows the same ones. */
export interface Selection {
  /** Their numbers, ascending; at least one. */
  readonly samples: Uint32Array;
  /** Where they come from, in words. */
  readonly from: string;
}

export const FIRST_ORDER: Order = {
  k: 5,
  method: "bonmf",
  scale: "auto",
  seed: 0,
  restarts: null,
  init: null,
  maxIterations: null,
  pace: 90,
};

export const FIRST_QUERY: Omit<Query, "from" | "count"> = {
  cluster: null,
  label: null,
  text: "",
  sort: "typical",
};

export const store = {
  /** What is being done, in words; null when nothing is. */
  busy: signal<string | null>(null),
  /** How many files were read, of how many; null when none are being read. */
  reading: signal<{ readonly read: number; readonly total: number } | null>(null),
  problem: signal<string | null>(null),
  /** Something to know, which is no error. */
  notice: signal<string | null>(null),
  project: signal<Project | null>(null),
  preview: signal<Preview | null>(null),
  /** Whether the data is a generated example. */
  example: signal(false),
  choice: signal<Choice | null>(null),
  summary: signal<Summary | null>(null),
  order: signal<Order>(FIRST_ORDER),
  plane: signal<Plane | null>(null),
  /** Until the plane is there. */
  sketch: signal<Sketch | null>(null),
  live: signal<Live | null>(null),
  runs: signal<readonly Run[]>([]),
  current: signal<number | null>(null),
  /** Of the clusters shown, without their names. */
  findings: signal<Findings | null>(null),
  /** Where the samples of the current run lie. */
  spread: signal<Places | null>(null),
  tab: signal<Tab>("data"),
  query: signal(FIRST_QUERY),
  sample: signal<number | null>(null),
  /** Null: nothing is selected. */
  selection: signal<Selection | null>(null),
  /** Whether the list of samples holds only the selected ones. */
  limited: signal(true),
  /** The search for a number of clusters while it runs. */
  searching: signal<Searching | null>(null),
  /** What the last search found. */
  advice: signal<KChoice | null>(null),
};

export const run = computed(() => store.runs.value.find(({ info }) => info.id === store.current.value) ?? null);

/** What the views show: the findings with the names people gave. */
export const shown = computed(() => {
  const { value: findings } = store.findings;
  return findings && run.value ? nameFindings(findings, run.value.names) : null;
});

export function nameRun({ id, order }: RunInfo): string {
  return `run ${id} (${order.method}, k = ${order.k})`;
}

export function nameCluster(names: readonly string[], cluster: number): string {
  return names[cluster] || `Cluster ${cluster}`;
}
