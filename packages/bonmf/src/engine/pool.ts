import { allocateCodes, FORM } from "../kernel/step.js";
import { Dense } from "../matrix/dense.js";
import type { Engine } from "./engine.js";
import { mergeStats, type Stats } from "./stats.js";

/** Several engines as one: each holds the samples after the previous one's, cut at block boundaries. */
export function pool(engines: readonly Engine[]): Engine {
  const starts: number[] = [];
  let samples = 0;
  for (const engine of engines) {
    starts.push(samples);
    samples += engine.samples;
  }
  const { features } = engines[0];
  const ownerOf = (id: number) => starts.findLastIndex((start) => start <= id);

  return {
    samples,
    features,

    async pass(step, signal) {
      // From the last to the first: the first may run in the caller's thread and keep it busy.
      const passes = engines.map((_, e) => engines[engines.length - 1 - e].pass(step, signal)).reverse();
      const settled = await Promise.allSettled(passes);
      const failed = settled.find((part) => part.status === "rejected");
      if (failed) {
        const done = engines.filter((_, e) => settled[e].status === "fulfilled");
        if (FORM[step.rule] !== null) await Promise.all(done.map((engine) => engine.revert()));
        throw failed.reason;
      }
      return settled.map((part) => (part as PromiseFulfilledResult<Stats>).value).reduce(mergeStats);
    },

    async revert() {
      await Promise.all(engines.map((engine) => engine.revert()));
    },

    async rows(ids) {
      const owners = Array.from(ids, ownerOf);
      const ask = async (engine: Engine, e: number) => {
        const own = Array.from(ids).filter((_, i) => owners[i] === e);
        return own.length > 0 ? engine.rows(own) : null;
      };
      const parts = await Promise.all(engines.map(ask));
      const out = Dense.zeros(ids.length, features, parts.find((part) => part !== null)?.precision);
      const taken = engines.map(() => 0);
      owners.forEach((e, i) => {
        out.data.set(parts[e]!.row(taken[e]++), i * features);
      });
      return out;
    },

    async gather() {
      const parts = await Promise.all(engines.map((engine) => engine.gather()));
      const { form, k } = parts[0];
      const whole = allocateCodes(form, samples, k);
      parts.forEach((part, e) => {
        whole.labels?.set(part.labels!, starts[e]);
        whole.values?.set(part.values!, form === "real" ? starts[e] * k : starts[e]);
      });
      return whole;
    },

    async scatter(codes) {
      await Promise.all(
        engines.map((engine, e) => {
          const from = starts[e];
          const to = from + engine.samples;
          const width = codes.form === "real" ? codes.k : 1;
          return engine.scatter({
            ...codes,
            labels: codes.labels?.subarray(from, to) ?? null,
            values: codes.values?.subarray(from * width, to * width) ?? null,
          });
        }),
      );
    },

    async close() {
      await Promise.all(engines.map((engine) => engine.close()));
    },
  };
}
