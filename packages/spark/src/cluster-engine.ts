import { Dense, OptionError } from "bonmf";
import { type Engine, emptyStats, pushStats, type Stats, type Step } from "bonmf/engine";
import { openDispatch, type PackedSamples } from "./dispatch.js";
import type { NumberedStep, Rows, Totals } from "./request.js";
import { uniqueName } from "./view-names.js";

/**
 * Sweeps run where the data is: each request goes to every partition, the library's kernels run beside the samples, and
 * only totals come back. An executor that was restarted gets its samples again, and the earlier steps it needs to catch up:
 * labels follow from the last W, the state of a weighted draw from its earlier prototypes.
 */
export function openClusterEngine(packed: PackedSamples): Engine {
  const { shape } = packed;
  const partitions = shape.cuts.length - 1;
  const send = openDispatch(packed, uniqueName());
  let numbers = 0;
  /** The steps that lead from nothing to the present state. */
  let log: readonly NumberedStep[] = [];
  let before = log;
  const known = new Map<number, Dense["data"]>();
  const remember = ({ ids, data }: Rows, wanted: ReadonlySet<number> = new Set(ids)) => {
    ids.forEach((id, at) => {
      if (wanted.has(id)) known.set(id, data.slice(at * shape.features, (at + 1) * shape.features));
    });
  };

  return {
    samples: shape.samples,
    features: shape.features,

    async pass(step: Step, signal?: AbortSignal): Promise<Stats> {
      signal?.throwIfAborted();
      const numbered = { number: ++numbers, step };
      const prior = step.rule === "survey" ? [] : log;
      const request = { shape, prior: step.fresh ? log.filter(isAssigning) : prior, step: numbered };
      const totals = await send<Totals>(request, signal);
      const silent = partitions - new Set(totals.flatMap((answer) => answer.partitions)).size;
      if (silent > 0) throw new Error(`${silent} of ${partitions} partitions did not answer`);
      const next = follow(log, numbered);
      if (next !== log) [before, log] = [log, next];
      const merged = emptyStats(step.rank ?? (step.rule === "race" ? 1 : 0));
      const parts = totals.flatMap(({ stats }) => stats.parts).sort((a, b) => a.start - b.start);
      for (const { start, level, sums } of parts) pushStats(merged, start, level, sums);
      merged.kernel = "Spark executors";
      const ranked = new Set(merged.parts.flatMap(({ sums }) => sums.ranked.map(({ id }) => id)));
      for (const { rows } of totals) remember(rows, ranked);
      return merged;
    },

    async revert() {
      log = before;
    },

    async rows(ids) {
      const missing = [...new Set(Array.from(ids))].filter((id) => !known.has(id));
      if (missing.length > 0) {
        for (const rows of await send<Rows>({ shape, prior: [], rows: missing })) remember(rows);
      }
      const out = Dense.zeros(ids.length, shape.features, shape.precision);
      Array.from(ids).forEach((id, at) => {
        out.data.set(known.get(id)!, at * shape.features);
      });
      return out;
    },

    async gather() {
      const last = log.findLast(isAssigning);
      if (!last) throw new OptionError("codes", null, "no pass has assigned anything yet");
      return { form: "labels", k: last.step.k, labels: new Uint8Array(0), values: null };
    },

    async scatter() {
      throw new OptionError("codes", null, "labels cannot be sent to a cluster: they follow from W there");
    },

    async close() {
      if (packed.pinned) await send({ shape, prior: [], close: true });
    },
  };
}

function isAssigning({ step: { rule } }: NumberedStep): boolean {
  return rule === "cosine" || rule === "distance";
}

/** The log after a step: an assignment replaces everything before it; a weighted draw (race) is appended. */
function follow(log: readonly NumberedStep[], numbered: NumberedStep): readonly NumberedStep[] {
  if (isAssigning(numbered)) return [numbered];
  if (numbered.step.rule !== "race") return log;
  return [...(numbered.step.fresh ? log.filter(isAssigning) : log), numbered];
}
