import { chooseK, type KChoice, type Matrix, type Neighbors, neighbors } from "bonmf";
import { collectFindings, type Findings, measureReference, type Reference } from "bonmf-report";
import { buildData, buildLike, type Data, isSame } from "../data/build.js";
import { type Choice, nameText } from "../data/choice.js";
import { makeExample } from "../data/example.js";
import { openItems } from "../data/open.js";
import { type Packed, packProject, unpackProject } from "../data/project-file.js";
import type { Item, Source } from "../data/source.js";
import { openWithVectors } from "../data/vectors.js";
import { classifyAll, writeAssignments, writeTable } from "./assignments.js";
import { answer, type Classify, train } from "./classify.js";
import { readColumn } from "./columns.js";
import { compareRuns } from "./comparison.js";
import {
  type Assignments,
  assignAll,
  findSamples,
  glimpse,
  matchSamples,
  searchSamples,
  showSample,
} from "./explore.js";
import { describeRun, type Run, restoreRun, runFit, type Shown, saveRun, type Watch } from "./fitting.js";
import type { Layout } from "./layout.js";
import { listNeighbors, NEIGHBORS } from "./neighbors.js";
import { toSearchOptions } from "./options.js";
import { makePreview, summarise } from "./preview.js";
import { Projections, type Scaled } from "./projection.js";
import type {
  ColourBy,
  Column,
  Ending,
  Event,
  Filter,
  Glimpse,
  Input,
  Order,
  Places,
  Plane,
  Preview,
  Query,
  RunInfo,
  Session,
  Sketch,
  Summary,
} from "./protocol.js";
import { tellReading } from "./reading.js";
import { gatherData } from "./report-data.js";
import { describeSelection } from "./selection.js";
import { ShownClusters } from "./shown-clusters.js";
import { writeCommand } from "./snippet.js";
import { chooseNumber, documentsOf, type Searching } from "./topics.js";

/** Findings of no more samples wait for the map, to show the same places. */
const MOST_AWAITED = 20_000;

/** Holds the data, the runs and their findings; runs in a worker. */
export class LocalSession implements Session {
  #source: Source | null = null;
  #choice: Choice | null = null;
  #data: Data | null = null;
  readonly #projections = new Projections();
  /** Fits and searches under way: maps wait for them. */
  #working = 0;
  #stop: AbortController | null = null;
  /** The last search for a number of clusters, so that one that was stopped can go on. */
  #search: { readonly key: string; readonly found: KChoice } | null = null;
  readonly #runs = new Map<number, Run>();
  /** Slow results by run. */
  readonly #classifiers = new Map<number, Promise<Classify>>();
  readonly #neighbors = new Map<number, Promise<Neighbors>>();
  readonly #clusters = new ShownClusters();
  readonly #references = new Map<number, Promise<Reference | null>>();
  /** Maps that the page shows: of the settings, and of the run. */
  readonly #seen: { charted: Layout | null; mapped: Layout | null } = { charted: null, mapped: null };
  /** Maps that findings wait for. */
  readonly #awaited = new WeakSet<Layout>();
  readonly #tell: Watch["tell"];

  constructor(tell: (event: Event, transfer: ArrayBuffer[]) => void) {
    this.#tell = tell;
  }

  async open(items: readonly Item[], part?: string, vectors?: Item): Promise<Preview> {
    return this.#take(await openWithVectors(items, part, vectors, tellReading(this.#tell)));
  }

  async openExample(name: string): Promise<Preview> {
    return this.#take(makeExample(name));
  }

  #take(source: Source): Preview {
    const preview = makePreview(source);
    this.#source = source;
    this.#data = null;
    this.#projections.clear();
    this.#search = null;
    this.#clear();
    return preview;
  }

  #clear(): void {
    for (const id of [...this.#runs.keys()]) this.#drop(id);
  }

  #drop(id: number): void {
    this.#runs.delete(id);
    this.#forgetData(id);
  }

  /** What depends on labels, names and pictures. */
  #forgetData(id: number): void {
    for (const kept of [this.#classifiers, this.#neighbors, this.#references]) kept.delete(id);
    this.#clusters.forget(id);
  }

  async prepare(choice: Choice): Promise<Summary> {
    if (!this.#source) throw new Error("open a file first");
    const before = this.#data;
    this.#data = await buildData(this.#source, choice);
    this.#choice = choice;
    const kept = before !== null && isSame(before, this.#data);
    if (kept) for (const id of this.#runs.keys()) this.#forgetData(id);
    else {
      this.#projections.clear();
      this.#search = null;
      this.#clear();
    }
    return summarise(this.#data, kept);
  }

  async sketch(order: Order): Promise<Sketch | null> {
    return this.#projections.find(order, this.#need()).sketch;
  }

  async chart(order: Order): Promise<Plane> {
    const { scale, reason, all } = this.#projections.find(order, this.#need());
    this.#seen.charted = all.layout;
    void this.#finishMap(all.layout);
    return { ...all.layout.places, watched: all.ids, scale, reason };
  }

  #scaledFor(order: Order): Scaled {
    return this.#projections.find(order, this.#need()).all;
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
    const { run, done } = await this.#during(() => runFit(data, this.#scaledFor(order), id, order, watch, from));
    if (!run) return { state: "stopped", info: null };
    this.#drop(id);
    this.#runs.set(id, run);
    return { state: done ? "done" : "stopped", info: await this.#describe(run) };
  }

  async #during<T>(work: () => Promise<T>): Promise<T> {
    this.#working++;
    try {
      return await work();
    } finally {
      this.#working--;
    }
  }

  async stop(): Promise<void> {
    this.#stop?.abort();
  }

  async spread(id: number): Promise<Places> {
    const { layout } = this.#scaledFor(this.#find(id).order);
    this.#seen.mapped = layout;
    void this.#finishMap(layout);
    return layout.places;
  }

  /** Goes on while nothing else is to be done: fits go first, and maps that nobody looks at wait. */
  #finishMap(layout: Layout): Promise<Places> {
    const isSeen = () => layout === this.#seen.charted || layout === this.#seen.mapped;
    const show = (places: Places) => {
      if (isSeen()) this.#tell({ type: "map", places }, []);
    };
    return layout.finish(() => this.#working > 0 || !(isSeen() || this.#awaited.has(layout)), show);
  }

  /** Where the samples lie, for findings; null where they are so many that findings should not wait for the map. */
  async #placesOf(id: number): Promise<Places | null> {
    if (this.#need().X.samples > MOST_AWAITED) return null;
    const { layout } = this.#scaledFor(this.#find(id).order);
    this.#awaited.add(layout);
    return this.#finishMap(layout);
  }

  async restore(id: number, order: Order, bytes: Uint8Array, groups: readonly number[]): Promise<RunInfo> {
    const run = restoreRun({ id, order, groups }, bytes, this.#need());
    this.#drop(id);
    this.#runs.set(id, run);
    return this.#describe(run);
  }

  async merge(id: number, groups: readonly number[]): Promise<RunInfo> {
    const run = { ...this.#find(id), groups };
    this.#runs.set(id, run);
    return this.#describe(run);
  }

  #describe(run: Run): Promise<RunInfo> {
    const state = this.#clusters.of(run);
    state.info ??= describeRun(run, state.shown, this.#need());
    return state.info;
  }

  #show(id: number): Shown {
    return this.#clusters.of(this.#find(id)).shown;
  }

  async forget(id: number): Promise<void> {
    this.#drop(id);
  }

  async findings(id: number): Promise<Findings> {
    const run = this.#find(id);
    const state = this.#clusters.of(run);
    if (state.findings) return state.findings;
    const { model, order, groups } = run;
    const data = this.#need();
    const isTopics = run.topics !== null;
    const choice = isTopics ? nameText(this.#choice!, data, this.#source!) : this.#choice!;
    const command = writeCommand(order, choice, this.#source!, isTopics);
    const gathered = gatherData(data, this.#source!, run);
    const reference = await remember(this.#references, id, () => measureReference(model, gathered.X));
    state.findings = await collectFindings(model, {
      ...gathered,
      groups,
      command,
      reference,
      positions: await this.#placesOf(id),
    });
    return state.findings;
  }

  async find(id: number, query: Query) {
    return findSamples(this.#need(), this.#show(id), await this.#assignmentsOf(id), query);
  }

  async glimpse(sample: number): Promise<Glimpse> {
    return glimpse(this.#need(), sample);
  }

  async column(id: number, by: ColourBy): Promise<Column> {
    const data = this.#need();
    const cosines = by.by === "closeness" ? (await this.#assignmentsOf(id)).cosines : null;
    return readColumn(this.#source!, data, cosines, by);
  }

  async search(text: string): Promise<Uint32Array> {
    return searchSamples(this.#need(), text);
  }

  async match(id: number, query: Filter): Promise<Uint32Array> {
    return Uint32Array.from(matchSamples(this.#need(), this.#show(id), query));
  }

  async describeSelection(id: number, samples: Uint32Array) {
    return describeSelection(this.#need(), this.#show(id), await this.#assignmentsOf(id), samples);
  }

  async sample(id: number, sample: number) {
    return showSample(this.#need(), this.#show(id), await this.#assignmentsOf(id), sample);
  }

  async classify(id: number, input: Input) {
    const { model } = this.#find(id);
    const data = this.#need();
    const classifier = remember(this.#classifiers, id, () => train(model, data));
    const search = (X: Matrix) => this.#neighborsOf(id, X, null);
    return answer(data, this.#show(id), await classifier, search, input);
  }

  async neighbors(id: number, sample: number) {
    return this.#neighborsOf(id, this.#need().X.take([sample]), sample);
  }

  async #neighborsOf(id: number, X: Matrix, self: number | null) {
    const { model } = this.#find(id);
    const data = this.#need();
    const search = await remember(this.#neighbors, id, () => neighbors(model, data.X, { count: NEIGHBORS + 1 }));
    return listNeighbors(data, this.#show(id), await this.#assignmentsOf(id), search, X, self);
  }

  async classifyFile(id: number, items: readonly Item[]) {
    const { model } = this.#find(id);
    const source = await openItems(items);
    return classifyAll(source, await buildLike(source, model), model, this.#show(id));
  }

  #assignmentsOf(id: number): Promise<Assignments> {
    const state = this.#clusters.of(this.#find(id));
    state.assignments ??= assignAll(state.shown, this.#need());
    return state.assignments;
  }

  async compare(left: number, right: number) {
    const [a, b] = [this.#show(left), this.#show(right)];
    const labels = Array.from(b.model.labels, (place) => b.numbers[place]);
    const { model, groups, order } = this.#find(left);
    const positions = (await this.#placesOf(left)) ?? this.#scaledFor(order).layout.places;
    const findings = await collectFindings(model, {
      ...gatherData(this.#need(), this.#source!, this.#find(left)),
      labels,
      groups,
      positions,
    });
    return compareRuns(a, b, findings, positions);
  }

  async choose(order: Order, ks: readonly number[] | null): Promise<KChoice> {
    const stop = new AbortController();
    this.#stop = stop;
    const data = this.#need();
    const options = toSearchOptions(order, data);
    const key = JSON.stringify([options, ks]);
    const before = this.#search?.key === key ? this.#search.found : undefined;
    const searching: Searching = {
      ks: ks ?? undefined,
      from: before,
      signal: stop.signal,
      onProgress: ({ done, total, measured, trial }) =>
        this.#tell({ type: "search", search: { done, total, measured, trial } }, []),
    };
    const documents = documentsOf(order, data);
    const found = await this.#during(() =>
      documents ? chooseNumber(data, documents, order, searching) : chooseK(data.X, { ...options, ...searching }),
    );
    this.#search = { key, found };
    return found;
  }

  async pack(packed: Packed, included: boolean): Promise<Blob> {
    return packProject(packed, this.#source?.parts ?? null, included);
  }

  async unpack(item: Item, given: readonly Item[]) {
    return unpackProject(item, given);
  }

  async table(): Promise<string> {
    if (this.#source?.form !== "table") throw new Error("only tables can be saved as CSV");
    return writeTable(this.#source);
  }

  async save(id: number, names?: readonly string[]) {
    return saveRun(this.#find(id), names);
  }

  async assignments(id: number, names: readonly string[] | null, only: Uint32Array | null = null): Promise<string> {
    return writeAssignments(this.#source!, this.#need(), this.#find(id).model, this.#show(id), names, only);
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

function remember<T>(kept: Map<number, Promise<T>>, id: number, find: () => Promise<T>): Promise<T> {
  const known = kept.get(id) ?? find();
  kept.set(id, known);
  return known;
}
