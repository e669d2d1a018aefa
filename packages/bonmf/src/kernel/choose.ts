/**
 * Which kernel runs when. Every decision is a function of this file, with its constants; `chooseKernel` puts them together,
 * and scripts/kernel-table.js prints its answers into ARCHITECTURE.md. No choice changes a result, but for 32-bit products.
 */
import type { Precision } from "../matrix/dense.js";
import type { RuleName } from "./step.js";

/** Dense samples with a smaller share of non-zeros are stored as CSR: a product then costs less than the zeros it skips. */
const SPARSE_BELOW = 0.3;
/** With fewer features, most of the time of a sample is not spent on products, and CSR gains nothing. */
const FEWEST_SPARSE_FEATURES = 32;
/** 32-bit CSR with a larger share takes 75 % of the dense bytes (8 a value, not 4) and is slower: it is stored dense. */
const DENSE_ABOVE = 0.375;
/** A panel has three vectors of 16 bytes, which is what V8 keeps in registers for two samples at a time. */
const PANEL_VECTORS = 3;
/** Below this many multiply-adds a sample, lower bounds by group cost more memory traffic than they save. */
const WORTH_GROUPS = 6000;
/** Lower bounds a sample keeps at most; with more panels than this, several panels share a bound. */
export const MOST_GROUPS = 10;
/** With fewer features, products of 16 bits take no less time than those of 32. */
const FEWEST_INT16_FEATURES = 12;
/** Samples beyond this many bytes, of all threads together, are not copied to 16 bits, so that memory stays theirs. */
const MOST_INT16_BYTES = 2 ** 24;
/** Longer samples are prefetched by the processor itself. */
const MOST_PREFETCH_ROW = 1024;
/** Smaller data stays in the second-level cache. */
const LEAST_PREFETCH_BYTES = 2 ** 21;
/** With fewer samples beyond one a prototype, copying prototypes into the scratch memory costs more than it saves. */
const WORTH_SCRATCH_SAMPLES = 64;
/** With fewer multiply-adds, copying prototypes to multiply them with each other costs more than it saves. */
const WORTH_SCRATCH_PRODUCTS = 2 ** 16;
/** The scratch memory never shrinks: prototypes that need more are multiplied plainly. */
const MOST_SCRATCH_BYTES = 2 ** 28;

/** Samples whose shares are summed in 32 bits before they are added to sums of 64: the loss stays good to 10⁻⁸ of ‖X‖². */
export const RUN = 64;
/** Above this share of values that are not 0, twice as many samples would be too many terms. */
const MOST_LONG_RUN_SHARE = 0.25;

export type Storage = "dense" | "CSR";

/** A decision and why it was taken. */
export interface Choice<T> {
  readonly value: T;
  readonly reason: string;
}

/** How samples are stored for the kernels. @param density the share of values that are not zero */
export function chooseStorage(
  given: Storage,
  precision: Precision,
  features: number,
  density: number,
): Choice<Storage> {
  const share = `${percent(density)} non-zeros`;
  if (precision === "f64") return { value: given, reason: "64-bit samples stay as given" };
  if (given === "dense") {
    if (features < FEWEST_SPARSE_FEATURES) {
      return { value: "dense", reason: `fewer than ${FEWEST_SPARSE_FEATURES} features` };
    }
    return density < SPARSE_BELOW
      ? { value: "CSR", reason: `${share}: below ${percent(SPARSE_BELOW)}` }
      : { value: "dense", reason: `${share}: at least ${percent(SPARSE_BELOW)}` };
  }
  return density > DENSE_ABOVE
    ? { value: "dense", reason: `${share}: above ${percent(DENSE_ABOVE)}` }
    : { value: "CSR", reason: `${share}: at most ${percent(DENSE_ABOVE)}` };
}

/** How prototypes are packed into panels, and panels into groups that share a lower bound. */
export interface Grouping {
  /** Columns of a panel. */
  readonly width: number;
  readonly panels: number;
  readonly panelsPerGroup: number;
  readonly groups: number;
}

/**
 * Hamerly's one bound for all other prototypes (1 group), or Yinyang's bound for each group.
 *
 * @param stored values that a sample stores, on average
 * @param most the most lower bounds a sample may keep
 */
export function chooseGroups(stored: number, k: number, precision: Precision, most = MOST_GROUPS): Choice<Grouping> {
  const width = PANEL_VECTORS * (precision === "f64" ? 2 : 4);
  const panels = Math.ceil(k / width);
  const worth = stored * k >= WORTH_GROUPS;
  const panelsPerGroup = worth ? Math.ceil(panels / most) : panels;
  const groups = Math.ceil(panels / panelsPerGroup);
  const work = `${thousands(WORTH_GROUPS)} multiply-adds a sample`;
  const reason = !worth
    ? `fewer than ${work}`
    : panels === 1
      ? `k ≤ ${width}: one panel of prototypes`
      : groups === 1
        ? "memory for one lower bound a sample"
        : `at least ${work}`;
  return { value: { width, panels, panelsPerGroup, groups }, reason };
}

/** The most lower bounds a sample may keep: one where all of them would not fit into the memory. */
export function chooseMostGroups(need: number, memory: number): number {
  return need > memory ? 1 : MOST_GROUPS;
}

/**
 * Whether samples are scored in 16 bits first.
 *
 * @param bytes of the whole data, if all of it stays in memory
 */
export function chooseInt16(
  storage: Storage,
  precision: Precision,
  features: number,
  groups: number,
  bytes = Number.POSITIVE_INFINITY,
): Choice<boolean> {
  if (groups > 1) return { value: false, reason: "groups leave few samples to score in full" };
  if (storage === "CSR" || precision === "f64") return { value: false, reason: "only for dense 32-bit samples" };
  if (features < FEWEST_INT16_FEATURES) return { value: false, reason: `fewer than ${FEWEST_INT16_FEATURES} features` };
  const limit = `${MOST_INT16_BYTES / 2 ** 20} MB`;
  return bytes > MOST_INT16_BYTES
    ? { value: false, reason: `more than ${limit} of samples` }
    : { value: true, reason: `at most ${limit} of samples, ${FEWEST_INT16_FEATURES} features or more` };
}

/** Whether the cache lines of samples are touched before they are scored. @param bytes of all samples of a thread */
export function choosePrefetch(bytes: number, samples: number): boolean {
  return bytes / Math.max(1, samples) < MOST_PREFETCH_ROW && bytes > LEAST_PREFETCH_BYTES;
}

/**
 * Whether a fit sums products in 32 bits: rules that refine H step by step, unless numbers could leave their range. Encoding
 * keeps 64 bits, so that a model predicts the same whatever made it.
 *
 * @param length about the length of a sample
 * @param weight of all samples
 */
export function refinesIn32Bits(rule: RuleName, length: number, weight: number): boolean {
  return refines(rule) && length > 2 ** -60 && length < 2 ** 60 && weight < 2 ** 40;
}

/** How many samples' XHᵀ is summed in 32 bits. Where most values are 0, more samples are no more terms. @param share of the values that count */
export function chooseRun(share: number): number {
  return share <= MOST_LONG_RUN_SHARE ? 2 * RUN : RUN;
}

function refines(rule: RuleName): boolean {
  return rule === "multiply" || rule === "root" || rule === "cyclic";
}

/** Whether samples elsewhere are copied to the kernels to be encoded. */
export function encodesOnScratch(samples: number, features: number, k: number): boolean {
  return samples >= k + WORTH_SCRATCH_SAMPLES && 24 * k * features <= MOST_SCRATCH_BYTES;
}

/** Whether k prototypes of m features are copied to the kernels to be multiplied with each other or with k × k numbers. */
export function multipliesOnScratch(k: number, features: number): boolean {
  return k * k * features >= WORTH_SCRATCH_PRODUCTS && 24 * k * features <= MOST_SCRATCH_BYTES;
}

/** What a sweep runs on, in the parts that its name tells. */
export interface KernelParts {
  readonly storage: Storage;
  readonly precision: Precision;
  /** Of one-hot rules with exact sums: groups of prototypes, and whether 16-bit scores come first. */
  readonly pruned?: { readonly groups: number; readonly int16: boolean | "tried" };
  /** Of the others: bits of the products. */
  readonly products?: 32 | 64;
}

/** A short name: "CSR f32, Yinyang 8 groups". */
export function nameKernel({ storage, precision, pruned, products = 64 }: KernelParts): string {
  const samples = `${storage} ${precision}`;
  if (pruned === undefined) return `${samples}, ${products}-bit products`;
  const bounds = pruned.groups > 1 ? `Yinyang ${pruned.groups} groups` : "Hamerly";
  // Tried: 16 bits left too many samples undecided, and the sweeps after went without.
  const first = pruned.int16 === "tried" ? ", int16 tried" : pruned.int16 ? ", int16 first" : "";
  return `${samples}, ${bounds}${first}`;
}

/** The name where WebAssembly with SIMD is missing. */
export const PLAIN_KERNEL = "plain TypeScript";

/** What decides which kernel a fit runs on. */
export interface Workload {
  readonly samples: number;
  readonly features: number;
  /** How the samples are given. */
  readonly given: Storage;
  /** The share of values that are not zero. */
  readonly density: number;
  readonly precision: Precision;
  readonly k: number;
  readonly rule: RuleName;
  /** Whether WebAssembly with SIMD runs here; default true. */
  readonly simd?: boolean;
  /** Whether all samples stay in memory; default true. Out of core they are stored as given. */
  readonly resident?: boolean;
  /** The most lower bounds a sample may keep. */
  readonly mostGroups?: number;
}

/** The kernel a fit runs on, and why. */
export function chooseKernel(workload: Workload): { readonly name: string; readonly reason: string } {
  const { samples, features, given, density, precision, k, rule, simd = true, resident = true, mostGroups } = workload;
  if (!simd) return { name: PLAIN_KERNEL, reason: "no WebAssembly with SIMD" };
  const outOfCore = { value: given, reason: "stored samples stay as given" };
  const { value: storage, reason } = resident ? chooseStorage(given, precision, features, density) : outOfCore;
  if (rule !== "cosine" && rule !== "distance") {
    const products = precision === "f32" && refines(rule) ? 32 : 64;
    const why =
      products === 32
        ? "later steps correct what 32 bits lose"
        : "only rules that refine H step by step sum in 32 bits";
    return { name: nameKernel({ storage, precision, products }), reason: `${reason}; ${why}` };
  }
  const stored = storage === "CSR" ? density * features : features;
  const { value, reason: byGroups } = chooseGroups(stored, k, precision, mostGroups);
  const bytes = resident ? samples * stored * 4 : undefined; // counts only for 32-bit samples
  const int16 = chooseInt16(storage, precision, features, value.groups, bytes);
  const pruned = { groups: value.groups, int16: int16.value };
  return { name: nameKernel({ storage, precision, pruned }), reason: `${reason}; ${byGroups}; int16: ${int16.reason}` };
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}

/** 6000 → "6,000". `toLocaleString` loads the locale data at its first call: 20 ms of a process that fits once. */
function thousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
