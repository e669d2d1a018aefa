import {
  AbortError,
  ari,
  BonmfError,
  type DocumentInput,
  type FitOptions,
  fit,
  loadModel,
  loadTopics,
  type Model,
  nmi,
  purity,
  resume,
  type StepReport,
  saveModel,
  saveTopics,
  type Topics,
} from "bonmf";
import { type Merged, mergeClusters, mergeTopics } from "bonmf-report";
import type { Data } from "../data/build.js";
import { chooseEngine } from "./engine.js";
import { snapshot } from "./live-prototypes.js";
import { toOptions } from "./options.js";
import type { Scaled } from "./projection.js";
import type { Event, Order, RunInfo } from "./protocol.js";
import { documentsOf, fitTopics } from "./topics.js";

/** A run as the worker keeps it. */
export interface Run {
  readonly id: number;
  readonly order: Order;
  readonly model: Model;
  /** Of texts: their topics, unless the order asks for a plain fit of their words. */
  readonly topics: Topics | null;
  readonly seconds: number;
  /** Merged clusters, see `Session.merge`; null: none. */
  readonly groups: readonly number[] | null;
}

export interface Watch {
  readonly signal: AbortController;
  /** Shared with the page: 1 asks the fit to stop, even while it waits. */
  readonly control: Int32Array | null;
  readonly tell: (event: Event, transfer: ArrayBuffer[]) => void;
}

/** Least time between two snapshots, in milliseconds. */
const PAUSE = 80;
/** Largest share of the time spent on snapshots. */
const SHARE = 0.25;
/** Sweeps of the first run that are slowed down for watching. */
const PACED = 40;

/** Fits, or resumes an earlier fit. A stopped fit returns the model reached so far, if any; one of topics begins again. */
export async function runFit(
  data: Data,
  scaled: Scaled,
  id: number,
  order: Order,
  watch: Watch,
  from: Run | null,
): Promise<{ run: Run | null; done: boolean }> {
  const options = toOptions(order, data);
  const documents = documentsOf(order, data);
  const reporter = makeReporter(data, scaled, id, options, order.pace, watch);
  const { signal } = watch.signal;
  const begin = performance.now();
  let watched = 0;
  const onStep = (step: StepReport) => {
    const start = performance.now();
    reporter(step);
    watched += performance.now() - start;
  };
  // The fit's own time: without what people watched of it.
  const spent = () => (from?.seconds ?? 0) + (performance.now() - begin - watched) / 1000;
  try {
    if (documents) {
      const topics = await fitTopics(data, documents, order, { signal, onStep });
      return { run: { id, order, model: topics.model, topics, seconds: spent(), groups: null }, done: true };
    }
    const engine = await chooseEngine(data.X, options);
    const model = from
      ? await resume(from.model, data.X, { engine, signal, onStep })
      : await fit(data.X, { ...options, engine, signal, onStep });
    return { run: { id, order, model, topics: null, seconds: spent(), groups: null }, done: true };
  } catch (error) {
    if (!(error instanceof AbortError)) throw error;
    // A fit of topics sees different documents once: its model is not one of all documents.
    const model = documents ? null : (error.model ?? from?.model);
    return { run: model ? { id, order, model, topics: null, seconds: spent(), groups: null } : null, done: false };
  }
}

function makeReporter(data: Data, scaled: Scaled, id: number, options: FitOptions, pace: number, watch: Watch) {
  const { control, signal, tell } = watch;
  let next = 0;
  return ({ iteration, restart, potential, relativeError, changed, W }: StepReport): void => {
    const moment = { id, iteration, restart, potential, relativeError, changed };
    const now = performance.now();
    if (now < next) tell({ type: "step", step: { ...moment, labels: null, snapshot: null } }, []);
    else {
      const seen = snapshot(data, scaled, options, W);
      const transfer = [seen.labels.buffer as ArrayBuffer];
      if (seen.snapshot.pictures) transfer.push(seen.snapshot.pictures.buffer as ArrayBuffer);
      tell({ type: "step", step: { ...moment, ...seen } }, transfer);
      const took = performance.now() - now;
      next = performance.now() + Math.max(PAUSE, took / SHARE);
    }
    // Blocking is fine here: this is a worker of its own.
    if (control && pace > 0 && restart === 0 && iteration <= PACED) Atomics.wait(control, 0, 0, pace);
    if (control && Atomics.load(control, 0) === 1) signal.abort();
  };
}

/** The clusters of a run as they are shown. */
export interface Shown extends Merged {
  /** Merged alike. */
  readonly topics: Topics | null;
}

export function showRun({ model, topics, groups }: Run): Shown {
  return { ...mergeClusters(model, groups), topics: topics && mergeTopics(topics, groups) };
}

/** A run from the file that `saveRun` made of it. */
export function restoreRun(
  { id, order, groups }: Pick<Run, "id" | "order" | "groups">,
  bytes: Uint8Array,
  data: Data,
): Run {
  const documents = documentsOf(order, data);
  const topics = documents && readTopics(bytes, documents);
  const model = topics?.model ?? loadModel(bytes, STORED);
  if (model.labels.length !== data.X.samples) throw new Error("the stored run belongs to other samples");
  // Texts were fitted as tables are, before the studio found topics: named, the scaler says so.
  const asked = documents && !topics ? { ...order, scale: model.scaler.name } : order;
  return { id, order: asked, model, topics, seconds: 0, groups };
}

const STORED = "the stored run";

/** Null for a model without topics. */
function readTopics(bytes: Uint8Array, documents: DocumentInput): Topics | null {
  try {
    return loadTopics(bytes, documents, STORED);
  } catch (error) {
    if (error instanceof BonmfError && error.code === "no-topics") return null;
    throw error;
  }
}

/** The model's file. @param names one a cluster, "" for none */
export function saveRun({ model, topics, groups }: Run, names?: readonly string[]): Uint8Array<ArrayBuffer> {
  const tags = {
    ...(names?.some((name) => name !== "") && { clusterNames: JSON.stringify(names) }),
    ...(groups?.some((group, cluster) => group !== cluster) && { clusterGroups: JSON.stringify(groups) }),
  };
  return (topics ? saveTopics(topics, tags) : saveModel(model, tags)) as Uint8Array<ArrayBuffer>;
}

/** What is told of a run: of the clusters shown. */
export async function describeRun(
  { id, order, model, seconds }: Run,
  merged: Merged,
  { X, labels }: Data,
): Promise<RunInfo> {
  const { labels: clusters } = merged.model;
  const { explained, relativeError } =
    merged.model === model || model.codes.form === "real" ? model : await merged.measureErrors(X, clusters);
  return {
    id,
    order,
    iterations: model.iterations,
    stopped: model.stopped,
    explained,
    relativeError,
    potential: model.potential,
    seconds,
    gpu: model.kernel?.startsWith("WebGPU") ?? false,
    counts: Array.from(model.counts),
    accuracy: labels && purity(labels, clusters),
    nmi: labels && nmi(labels, clusters),
    ari: labels && ari(labels, clusters),
    labels: Uint32Array.from(model.labels),
    history: model.history.map(({ iteration, potential, relativeError, changed }) => ({
      iteration,
      potential,
      relativeError,
      changed,
    })),
  };
}
