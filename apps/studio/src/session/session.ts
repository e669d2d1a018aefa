import { ari, chooseK, type KChoice, loadModel, nmi, saveModel } from "bonmf";
import { textAt } from "bonmf-data";
import { collectFindings, type Findings, measureReference, type ReportData } from "bonmf-report";
import { buildData, type Data } from "../data/build.js";
import type { Choice } from "../data/choice.js";
import { makeExample } from "../data/example.js";
import { openItems } from "../data/open.js";
import type { Item, Source } from "../data/source.js";
import { protect, writeAssignments } from "./assignments.js";
import { answer, type Classify, train } from "./classify.js";
import { type Assignments, assignAll, findSamples, showSample } from "./explore.js";
import { describeRun, type Run, runFit, type Watch } from "./fitting.js";
import { describeData, scaleFor } from "./options.js";
import { makePreview, summarise } from "./preview.js";
import { makePlane, makeProjection, type Projection } from "./projection.js";
import type { Ending, Event, Input, Order, Plane, Preview, Query, RunInfo, Session, Summary } from "./protocol.js";
import { writeCommand } from "./snippet.js";

/** Holds the data, the runs and their findings; runs in a worker. */
export class LocalSession implements Session {
  #source: Source | null = null;
  #choice: Choice | null = null;
  #data: Data | null = null;
  #frame: Projection | null = null;
  #stop: AbortController | null = null;
  /** The last search for a number of clusters, so that one that was stopped can go on. */
  #search: { readonly key: string; readonly found: KChoice } | null = null;
  readonly #runs = new Map<number, Run>();
  /** Slow results by run. */
  readonly #assignments = new Map<number, Promise<Assignments>>();
  readonly #classifiers = new Map<number, Promise<Classify>>();
  readonly #findings = new Map<number, Findings>();
  readonly #tell: Watch["tell"];

  constructor(tell: (event: Event, transfer: ArrayBuffer[]) => void) {
    this.#tell = tell;
  }

  async open(items: readonly Item[]): Promise<Preview> {
    return this.#take(await openItems(items));
  }

  async openExample(name: string): Promise<Preview> {
    return this.#take(makeExample(name));
  }

  #take(source: Source): Preview {
    const preview = makePreview(source);
    this.#source = source;
    this.#data = null;
    this.#frame = null;
    this.#search = null;
    this.#clear();
    return preview;
  }

  #clear(): void {
    for (const id of [...this.#runs.keys()]) this.#drop(id);
  }

  #drop(id: number): void {
    for (const kept of [this.#runs, this.#assignments, this.#classifiers, this.#findings]) kept.delete(id);
  }

  async prepare(choice: Choice): Promise<Summary> {
    if (!this.#source) throw new Error("open a file first");
    this.#data = await buildData(this.#source, choice);
    this.#choice = choice;
    this.#frame = null;
    this.#search = null;
    this.#clear();
    return summarise(this.#data);
  }

  async chart(order: Order): Promise<Plane> {
    return this.#frameFor(order).plane;
  }

  #frameFor(order: Order): Projection {
    const { scale, reason } = scaleFor(order, this.#need());
    const { plane } = this.#frame ?? {};
    if (plane?.scale !== scale || plane.reason !== reason) this.#frame = makeProjection(this.#need(), scale, reason);
    return this.#frame!;
  }

  async fit(id: number, order: Order, control: Int32Array | null): Promise<Ending> {
    return this.#run(id, order, control, null);
  }

  async resume(id: number, order: Order, control: Int32Array | null): Promise<Ending> {
    return this.#run(id, order, control, this.#runs.get(id) ?? null);
  }

  async #run(id: number, order: Order, control: Int32Array | null, from: Run | null): Promise<Ending> {
    const data = this.#need();
    this.#stop = new AbortController();
    const watch = { signal: this.#stop, control, tell: this.#tell };
    const { run, done } = await runFit(data, this.#frameFor(order), id, order, watch, from);
    if (!run) return { state: "stopped", info: null };
    this.#drop(id);
    this.#runs.set(id, run);
    return { state: done ? "done" : "stopped", info: describeRun(run, data) };
  }

  async stop(): Promise<void> {
    this.#stop?.abort();
  }

  async spread(id: number): Promise<Pick<Plane, "x" | "y">> {
    return makePlane(this.#need(), this.#find(id).model);
  }

  async restore(id: number, order: Order, bytes: Uint8Array): Promise<RunInfo> {
    const model = loadModel(bytes, "the stored run");
    if (model.labels.length !== this.#need().X.samples) throw new Error("the stored run belongs to other samples");
    const run = { id, order, model, seconds: 0 };
    this.#runs.set(id, run);
    return describeRun(run, this.#need());
  }

  async forget(id: number): Promise<void> {
    this.#drop(id);
  }

  async findings(id: number): Promise<Findings> {
    const known = this.#findings.get(id);
    if (known) return known;
    const { model, order } = this.#find(id);
    const data = this.#need();
    const command = writeCommand(order, this.#choice!, this.#source!);
    const gathered = gather(data);
    const reference = await measureReference(model, gathered.X);
    const findings = collectFindings(model, { ...gathered, command, reference });
    this.#findings.set(id, findings);
    return findings;
  }

  async find(id: number, query: Query) {
    return findSamples(this.#need(), this.#find(id).model, await this.#assignmentsOf(id), query);
  }

  async sample(id: number, sample: number) {
    return showSample(this.#need(), this.#find(id).model, await this.#assignmentsOf(id), sample);
  }

  async classify(id: number, input: Input) {
    const { model } = this.#find(id);
    const data = this.#need();
    const classifier = remember(this.#classifiers, id, () => train(model, data));
    return answer(data, model, await this.#assignmentsOf(id), await classifier, input);
  }

  #assignmentsOf(id: number): Promise<Assignments> {
    return remember(this.#assignments, id, () => assignAll(this.#find(id).model, this.#need()));
  }

  async compare(left: number, right: number) {
    const [a, b] = [this.#find(left).model, this.#find(right).model];
    const labels = Array.from(b.labels);
    const findings = collectFindings(a, { ...gather(this.#need()), labels });
    return { ari: ari(labels, a.labels), nmi: nmi(labels, a.labels), findings };
  }

  async choose(order: Order, ks: readonly number[] | null): Promise<KChoice> {
    const stop = new AbortController();
    this.#stop = stop;
    const data = this.#need();
    const { method, seed, restarts, init, maxIterations } = order;
    const options = {
      ...describeData(order, data),
      method,
      seed,
      restarts: restarts ?? undefined,
      init: init ?? undefined,
      maxIterations: maxIterations ?? undefined,
    };
    const key = JSON.stringify([options, ks]);
    const before = this.#search?.key === key ? this.#search.found : undefined;
    const found = await chooseK(data.X, {
      ...options,
      ks: ks ?? undefined,
      from: before,
      signal: stop.signal,
      onProgress: ({ done, total, trial }) => this.#tell({ type: "search", search: { done, total, trial } }, []),
    });
    this.#search = { key, found };
    return found;
  }

  async table(): Promise<string> {
    if (this.#source?.form !== "table") throw new Error("only tables can be saved as CSV");
    const { columns, rows } = this.#source;
    const lines = Array.from({ length: rows }, (_, i) => columns.map((column) => protect(textAt(column, i))).join(","));
    return `${columns.map(({ name }) => protect(name)).join(",")}\n${lines.join("\n")}\n`;
  }

  async save(id: number, names?: readonly string[]) {
    const tags = names?.some((name) => name !== "") ? { clusterNames: JSON.stringify(names) } : {};
    return saveModel(this.#find(id).model, tags) as Uint8Array<ArrayBuffer>;
  }

  async assignments(id: number, names: readonly string[] | null, groups: readonly number[] | null): Promise<string> {
    return writeAssignments(this.#source!, this.#need(), this.#find(id).model, { names, groups });
  }

  #need(): Data {
    if (!this.#data) throw new Error("choose what to use of the file first");
    return this.#data;
  }

  #find(id: number): Run {
    const run = this.#runs.get(id);
    if (!run) throw new Error("this run is gone: fit again");
    return run;
  }
}

function gather({ X, labels, ids, features, image, recipe, name: source }: Data): ReportData {
  return { X, labels, ids, features, recipe: { ...recipe, ...(image && { image }) }, source };
}

function remember<T>(kept: Map<number, Promise<T>>, id: number, find: () => Promise<T>): Promise<T> {
  const known = kept.get(id) ?? find();
  kept.set(id, known);
  return known;
}
