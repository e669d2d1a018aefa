import { OptionError } from "../errors.js";
import { Assigner } from "../kernel/assign.js";
import { CHUNK, plainProducts } from "../kernel/products.js";
import type { Region } from "../kernel/region.js";
import { rowsOf } from "../kernel/rows.js";
import { allocateCodes, type Codes, FORM, type Step } from "../kernel/step.js";
import { zeroSums } from "../kernel/sums.js";
import { planStep, sweep } from "../kernel/sweep.js";
import { swiftProducts } from "../kernel/swift.js";
import { takeCensus } from "./census.js";
import type { Engine } from "./engine.js";
import { makeRegion } from "./memory/regions.js";
import { Shelf, type ShelfOptions } from "./shelf.js";
import { blockSize, emptyStats, pushStats, type Stats } from "./stats.js";
import { isEverywhere, openReader, type Stored } from "./stored.js";
import { breathe } from "./yield.js";

export type LaneOptions = ShelfOptions;

/**
 * The engine for stored samples that one thread answers for. Of each sample only its label, bounds and length stay in
 * memory: a sweep brings window after window, and of a window only the samples whose label is in doubt.
 */
export async function openLane(stored: Stored, options: LaneOptions): Promise<Engine> {
  const { first, last, weights } = options;
  const samples = last - first;
  const { features, precision } = stored;
  const reader = await openReader(stored.reader);
  const region = await makeRegion(0);
  const shelf = new Shelf(region ?? holdBytes(), stored, reader, options);
  await shelf.fill();
  const block = blockSize(stored.samples);
  const facts = await takeCensus(shelf, block);
  const assigner = region && new Assigner(shelf.placed);
  const swift = region && swiftProducts(shelf.near);
  let codes: Codes | null = null;
  let spare: Codes | null = null;
  let nearest: Float64Array | null = null;
  /** Who holds the codes; the other one's are out of date. */
  let holder: "assigner" | "plain" = "plain";

  const assign = async (step: Step, signal?: AbortSignal): Promise<Stats> => {
    const own = assigner!;
    own.begin(step);
    try {
      for (let from = 0, to = 0; from < samples; from = to) {
        to = shelf.reach(from, Math.min(from + own.chunk, samples));
        const count = own.look(from, to);
        if (count > 0) {
          const wait = shelf.bring(from, to, own.listed(count));
          if (wait) await wait;
          own.aim();
          own.decide(count);
        }
        const pause = breathe();
        if (pause !== null) {
          await pause;
          signal?.throwIfAborted();
        }
      }
    } catch (error) {
      own.undo();
      throw error;
    }
    const stats = emptyStats(step.rank ?? 0);
    pushStats(stats, first / block, 0, own.finish());
    holder = "assigner";
    codes = spare = nearest = null;
    return stats;
  };

  const held = (): Codes | null => (holder === "assigner" ? assigner!.codes() : codes);

  /** Rules without bounds, window after window. */
  const pass = async (step: Step, signal?: AbortSignal): Promise<Stats> => {
    const form = FORM[step.rule];
    const before = held();
    const fits = spare !== null && spare.form === form && spare.k === step.k;
    const next = form === null ? before : fits ? spare : allocateCodes(form, samples, step.k);
    const plan = planStep(step, features, precision, before);
    const race = step.rule === "race";
    if (race) nearest ??= new Float64Array(samples).fill(Number.POSITIVE_INFINITY);
    swift?.begin(step, plan.pack);
    const stats = emptyStats(step.rank ?? (race ? 1 : 0));
    for (let from = 0; from < samples; from += block) {
      const sums = zeroSums(plan.layout);
      const end = Math.min(from + block, samples);
      for (let start = from, stop = from; start < end; start = stop) {
        stop = shelf.reach(start, end);
        const wait = shelf.bring(start, stop);
        if (wait) await wait;
        for (let at = start; at < stop; at += CHUNK) {
          const to = Math.min(at + CHUNK, stop);
          const rows = rowsOf(shelf.view(at, to));
          const products = swift ?? plainProducts(rows);
          if (swift === null) products.begin(step, plan.pack);
          const shard = {
            rows,
            products,
            features,
            norms: shelf.placed.region.f64(shelf.placed.norms + 8 * at, to - at),
            weights: weights?.subarray(at, to) ?? null,
            offset: first + at,
            nearest: () => nearest!.subarray(at, to),
          };
          sweep(shard, plan, sliceCodes(before, at, to), sliceCodes(next, at, to), 0, to - at, sums);
          const pause = breathe();
          if (pause !== null) {
            await pause;
            signal?.throwIfAborted();
          }
        }
      }
      swift?.finish(sums.XHt);
      pushStats(stats, (first + from) / block, 0, sums);
    }
    if (form !== null) {
      spare = before;
      codes = next;
      holder = "plain";
    }
    if (!race) nearest = null;
    return stats;
  };

  return {
    samples,
    features,

    async pass(step, signal) {
      signal?.throwIfAborted();
      if (step.rule === "survey") return facts.tell(step.rank ?? 0);
      const exact = (step.rule === "cosine" || step.rule === "distance") && step.grid !== undefined;
      return exact && assigner ? assign(step, signal) : pass(step, signal);
    },

    async revert() {
      if (holder === "assigner") assigner!.undo();
      else [codes, spare] = [spare, codes];
    },

    rows: (ids) => shelf.take(Uint32Array.from(ids, (id) => id - first)),

    async gather() {
      const own = held();
      if (own === null) throw new OptionError("codes", null, "no pass has assigned anything yet");
      return { ...own, labels: own.labels?.slice() ?? null, values: own.values?.slice() ?? null };
    },

    async scatter(given) {
      codes = allocateCodes(given.form, samples, given.k);
      codes.labels?.set(given.labels!);
      codes.values?.set(given.values!);
      spare = null;
      holder = "plain";
      if (given.form === "labels") assigner?.expect(codes);
    },

    async close() {
      codes = spare = nearest = null;
      if (isEverywhere(stored.reader)) await reader.close?.();
    },
  };
}

function sliceCodes(codes: Codes | null, from: number, to: number): Codes | null {
  if (codes === null) return null;
  const { form, k, labels, values } = codes;
  const width = form === "real" ? k : 1;
  return {
    form,
    k,
    labels: labels?.subarray(from, to) ?? null,
    values: values?.subarray(from * width, to * width) ?? null,
  };
}

/** Memory like a region's, without kernels. */
function holdBytes(): Region {
  let bytes = new ArrayBuffer(64);
  return {
    kernel: {},
    scratch: 0,
    reserve(more) {
      const at = bytes.byteLength;
      const grown = new Uint8Array(64 * Math.ceil((at + more) / 64));
      grown.set(new Uint8Array(bytes));
      bytes = grown.buffer;
      return at;
    },
    f32: (at, length) => new Float32Array(bytes, at, length),
    f64: (at, length) => new Float64Array(bytes, at, length),
    u32: (at, length) => new Uint32Array(bytes, at, length),
  };
}
