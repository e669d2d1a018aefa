import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError } from "../../src/errors.js";
import { METHODS, takesSigned } from "../../src/factor/methods/index.js";
import { Sparse } from "../../src/matrix/sparse.js";
import { AbortError } from "../../src/model/abort.js";
import { fit, fitTransform, type ResumeOptions, resume } from "../../src/model/fit.js";
import type { Model } from "../../src/model/model.js";
import type { FitOptions, StepReport } from "../../src/model/options.js";
import { deriveSeed } from "../../src/random.js";
import { SCALES } from "../../src/scale/scaler.js";
import { ALL, bits, blobRows, dense, ONE_HOT, randomRows, record } from "../synthetic.js";

const K = 4;
const rows = blobRows(3, 70, 6, 6);
const X = dense(rows);
const weights = rows.map((_, i) => 1 + (i % 3));

/** A fit that aborts itself in the onStep that `when` picks; the error and the reason given. */
async function interrupt(
  go: (options: { signal: AbortSignal; onStep: (step: StepReport) => void }) => Promise<Model>,
  when: (count: number, step: StepReport) => boolean,
): Promise<AbortError | Model> {
  const controller = new AbortController();
  const reason = new Error("the user left");
  let count = 0;
  try {
    return await go({
      signal: controller.signal,
      onStep(step) {
        if (when(++count, step)) controller.abort(reason);
      },
    });
  } catch (error) {
    expect(error).toBeInstanceOf(AbortError);
    expect((error as AbortError).cause).toBe(reason);
    expect((error as AbortError).code).toBe("aborted");
    expect((error as AbortError).name).toBe("AbortError");
    return error as AbortError;
  }
}

describe.each(ALL)("%s", (method) => {
  const base: FitOptions = { k: K, method, seed: 5, tolerance: 0, maxIterations: 12 };

  it("resumed equals unbroken, to the bit", async () => {
    for (const extra of [{}, { weights }, { init: "sample" as const }]) {
      const options = { ...base, ...extra };
      const whole = await fit(X, options);
      for (const t of [1, 2, 3, 5, 11]) {
        const early = await fit(X, { ...options, maxIterations: t });
        expect(early.history).toEqual(whole.history.slice(0, t));
        const late: ResumeOptions = { maxIterations: 12, ...("weights" in extra ? extra : {}) };
        expect(record(await resume(early, X, late))).toEqual(record(whole));
      }
    }
  });

  it("resumed again and again equals unbroken", async () => {
    const whole = await fit(X, base);
    let model = await fit(X, { ...base, maxIterations: 1 });
    for (let t = 2; t <= 12; t += 1 + (t % 3)) {
      model = await resume(model, X, { maxIterations: t });
    }
    expect(record(await resume(model, X, { maxIterations: 12 }))).toEqual(record(whole));
    expect(record(await resume(model, Sparse.fromDense(X), { maxIterations: 12 }))).toEqual(record(whole));
  });

  it("comes back as it is when there is nothing left to do", async () => {
    const model = await fit(X, { ...base, maxIterations: 3 });
    expect(await resume(model, X)).toBe(model);
    expect(await resume(model, X, { maxIterations: 2 })).toBe(model);
  });

  it("aborted anywhere and resumed equals uninterrupted, restarts included", async () => {
    const options: FitOptions = { ...base, restarts: 3, init: "sample", maxIterations: 5 };
    const steps: StepReport[] = [];
    const whole = await fit(X, { ...options, onStep: (step) => steps.push(step) });
    for (let at = 1; at <= steps.length; at++) {
      if (steps[at]?.restart !== steps[at - 1].restart) continue;
      const end = (await interrupt(
        (watch) => fit(X, { ...options, ...watch }),
        (count) => count === at,
      )) as AbortError;
      expect(record(await resume(end.model!, X))).toEqual(record(whole));
    }
  });

  it("aborted between two restarts keeps what was reached, and can be resumed", async () => {
    const options: FitOptions = { ...base, restarts: 3, init: "sample", maxIterations: 3 };
    const steps: StepReport[] = [];
    const whole = await fit(X, { ...options, onStep: (step) => steps.push(step) });
    for (const restart of [0, 1]) {
      const end = (await interrupt(
        (watch) => fit(X, { ...options, ...watch }),
        (count) => steps[count - 1].restart === restart && steps[count].restart > restart,
      )) as AbortError;
      expect(end.model).not.toBe(null);
      expect(record(await resume(end.model!, X))).toEqual(record(whole));
    }
  });

  it("keeps the last finished sweep when aborted", async () => {
    const watched: string[] = [];
    const end = (await interrupt(
      (watch) =>
        fit(X, {
          ...base,
          ...watch,
          onStep(step) {
            watched.push(String(bits(step.W)));
            watch.onStep(step);
          },
        }),
      (count) => count === 2,
    )) as AbortError;
    expect(end.model!.stopped).toBe("aborted");
    expect(end.model!.converged).toBe(false);
    expect(end.model!.iterations).toBe(2);
    expect(bits(end.model!.W.data)).toBe(watched[1]);
    expect([...end.model!.predict(X)]).toEqual([...end.model!.labels]);
    const two = await fit(X, { ...base, maxIterations: 2 });
    expect(record(end.model!)).toEqual({ ...record(two), stopped: "aborted" });
  });

  it("is a function of the data, the options and the seed", async () => {
    const options: FitOptions = { ...base, init: "random", maxIterations: 1 };
    const model = await fit(X, options);
    expect(record(await fit(X, options))).toEqual(record(model));
    expect(bits((await fit(X, { ...options, seed: 6 })).W.data)).not.toBe(bits(model.W.data));
    expect(bits((await fit(X, { ...options, seed: 5 + 2 ** 40 })).W.data)).not.toBe(bits(model.W.data));
  });

  it("keeps the restart with the best potential", async () => {
    const options: FitOptions = { ...base, init: "sample", maxIterations: 6 };
    const best = await fit(X, { ...options, restarts: 4 });
    const singles = [];
    for (let r = 0; r < 4; r++) singles.push(await fit(X, { ...options, seed: deriveSeed(5, r) }));
    const { sense } = METHODS[method];
    const top = Math.max(...singles.map(({ potential }) => sense * potential));
    expect(sense * best.potential).toBe(top);
    expect(best.restart).toBe(singles.findIndex(({ potential }) => sense * potential === top));
    expect(bits(best.W.data)).toBe(bits(singles[best.restart].W.data));
    expect(best.seed).toBe(5);
    expect(best.best).toBe(null);
  });

  it("tells onStep of every iteration of every restart", async () => {
    const seen: StepReport[] = [];
    const options: FitOptions = { ...base, restarts: 3, init: "sample", maxIterations: 4 };
    const model = await fit(X, { ...options, onStep: (step) => seen.push({ ...step, W: step.W.slice() }) });
    const own = seen.filter(({ restart }) => restart === model.restart);
    expect(
      own.map(({ W: _, weights: _w, empty: _e, repairs: _r, restart: _s, products: _p, ...moment }) => moment),
    ).toEqual(model.history);
    expect(bits(own[own.length - 1].W)).toBe(bits(model.W.data));
    for (let r = 0; r < 3; r++) {
      const steps = seen.filter(({ restart }) => restart === r).map(({ iteration }) => iteration);
      expect(steps).toEqual(steps.map((_, t) => t + 1));
      expect(steps.length).toBeGreaterThan(0);
    }
  });

  it("refuses to resume on other samples", async () => {
    const model = await fit(X, { ...base, maxIterations: 2 });
    const later = { maxIterations: 9 };
    await expect(resume(model, X.slice(0, 60), later)).rejects.toThrow(/fitted on 70 samples but these are 60/);
    const other = dense(rows.map((row, i) => (i === 7 ? row.map((x) => x + 1) : row)));
    await expect(resume(model, other, later)).rejects.toThrow(DataError);
    await expect(resume(model, X, { ...later, weights })).rejects.toThrow(DataError);
    await expect(resume(model, dense([[1, 2]]), later)).rejects.toThrow(/fitted on 6 features/);
  });

  it("works through every scaler, with predict and reconstruct in the samples' units", async () => {
    for (const scale of SCALES) {
      if (!takesSigned(method) && (scale === "standard" || scale === "lift")) continue;
      const { model, H } = await fitTransform(X, { ...base, scale, maxIterations: 5 });
      expect([...model.predict(X)]).toEqual([...model.labels]);
      expect(H).toEqual(model.transform(X));
      expect(model.W.features).toBe(scale === "split" ? 12 : scale === "lift" ? 7 : 6);
      const back = model.reconstruct(X);
      expect([back.samples, back.features]).toEqual([70, 6]);
      const early = await fit(X, { ...base, scale, maxIterations: 2 });
      expect(record(await resume(early, X, { maxIterations: 5 }))).toEqual(record(model));
    }
  });

  it("scores and reconstructs what transform encodes", async () => {
    const model = await fit(X, { ...base, maxIterations: 6 });
    const H = model.transform(X);
    const back = model.reconstruct(X);
    let lost = 0;
    let whole = 0;
    rows.forEach((row, i) => {
      const length = Math.hypot(...row);
      const unit = method === "spherical" ? length : 1;
      row.forEach((x, f) => {
        let seen = 0;
        for (let j = 0; j < K; j++) seen += H.at(i, j) * model.W.at(j, f);
        expect(back.at(i, f)).toBeCloseTo(seen * unit, 9);
        lost += ((x - seen * unit) / unit) ** 2;
        whole += (x / unit) ** 2;
      });
    });
    expect(model.score(X)).toBeCloseTo(1 - lost / whole, 10);
    if ((ONE_HOT as readonly string[]).includes(method)) {
      expect(model.score(X)).toBeCloseTo(1 - model.relativeError ** 2, 10);
    }
  });

  it("has an orthonormal view with the same product", async () => {
    const model = await fit(X, { ...base, maxIterations: 6 });
    const { W, lengths } = model.orthonormal();
    const { H } = model;
    const unit = new Float64Array(K);
    for (let i = 0; i < 70; i++) {
      for (let j = 0; j < K; j++) unit[j] += lengths[j] > 0 ? (H.at(i, j) / lengths[j]) ** 2 : 1 / 70;
      for (let f = 0; f < 6; f++) {
        let [plain, scaled] = [0, 0];
        for (let j = 0; j < K; j++) {
          plain += H.at(i, j) * model.W.at(j, f);
          if (lengths[j] > 0) scaled += (H.at(i, j) / lengths[j]) * W.at(j, f);
        }
        expect(scaled).toBeCloseTo(plain, 10);
      }
    }
    for (const length of unit) expect(length).toBeCloseTo(1, 12);
  });

  it("gives a frozen record", async () => {
    const model = await fit(X, { ...base, maxIterations: 2, featureNames: ["a", "b", "c", "d", "e", "f"] });
    expect(Object.isFrozen(model) && Object.isFrozen(model.history) && Object.isFrozen(model.settings)).toBe(true);
    expect([model.k, model.method, model.seed]).toEqual([K, method, 5]);
    expect(model.outputNames).toEqual(["a", "b", "c", "d", "e", "f"]);
    expect(model.counts.reduce((sum, count) => sum + count, 0)).toBe(70);
    expect(model.potential).toBe(model.history[1].potential);
    expect(model.relativeError).toBe(model.history[1].relativeError);
  });
});

it("the first of equally good restarts is kept", async () => {
  // With one cluster every run ends alike.
  for (const method of ["bonmf", "spherical", "kmeans"] as const) {
    expect((await fit(X, { k: 1, method, init: "sample", restarts: 4 })).restart).toBe(0);
  }
});

describe("abort", () => {
  it("before the start rejects with an AbortError without a model", async () => {
    const signal = AbortSignal.abort("too late");
    const error = await fit(X, { k: 2, signal }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(AbortError);
    expect((error as AbortError).model).toBe(null);
    expect((error as AbortError).cause).toBe("too late");
  });

  it("of a resumed fit can be resumed in turn", async () => {
    const options: FitOptions = { k: K, method: "nmf", tolerance: 0, maxIterations: 20 };
    const whole = await fit(X, options);
    const first = (await interrupt(
      (watch) => fit(X, { ...options, ...watch }),
      (count) => count === 4,
    )) as AbortError;
    const second = (await interrupt(
      (watch) => resume(first.model!, X, watch),
      (count) => count === 6,
    )) as AbortError;
    expect(second.model!.iterations).toBe(10);
    expect(record(await resume(second.model!, X))).toEqual(record(whole));
  });

  it("from a timer stops a long fit", async () => {
    const signal = AbortSignal.timeout(30);
    const long = fit(dense(randomRows(1, 4000, 20)), {
      k: 10,
      method: "nmf",
      tolerance: 0,
      maxIterations: 1e6,
      signal,
    });
    const error = (await long.catch((error: unknown) => error)) as AbortError;
    expect(error).toBeInstanceOf(AbortError);
    expect(error.cause).toBe(signal.reason);
  });

  it("while an empty cluster is repaired is no different from anywhere else", async () => {
    const init = [X.row(0), X.row(1), [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]].map((row) => [...row]);
    for (const method of ONE_HOT) {
      const start = method === "kmeans" ? init.map((row, j) => (j < 2 ? row : row.map(() => 1e4))) : init;
      const options: FitOptions = { k: K, method, init: start, maxIterations: 40 };
      const whole = await fit(X, options);
      expect(whole.repairs).toBeGreaterThan(0);
      for (let t = 1; t < Math.min(6, whole.iterations); t++) {
        const early = await fit(X, { ...options, maxIterations: t });
        expect(record(await resume(early, X, { maxIterations: 40 }))).toEqual(record(whole));
        const end = (await interrupt(
          (watch) => fit(X, { ...options, ...watch }),
          (count) => count === t,
        )) as AbortError;
        expect(record(await resume(end.model!, X))).toEqual(record(whole));
      }
    }
  });

  it("after a fixed point that no sample could fill goes on to that fixed point", async () => {
    const parallel = [
      [1, 2],
      [2, 4],
      [3, 6],
    ];
    const options: FitOptions = { k: 2, init: [parallel[0], parallel[0]] };
    const whole = await fit(parallel, options);
    const end = await interrupt(
      (watch) => fit(parallel, { ...options, ...watch }),
      (count) => count === whole.iterations,
    );
    const model = end instanceof AbortError ? await resume(end.model!, parallel) : end;
    expect(record(model)).toEqual(record(whole));
  });
});

describe("resume", () => {
  it("of the best of several restarts goes no further than the limit", async () => {
    const options: FitOptions = { k: K, method: "nmf", init: "sample", tolerance: 0, maxIterations: 3 };
    for (let seed = 0; seed < 6; seed++) {
      const model = await fit(X, { ...options, seed, restarts: 4 });
      expect(model.stopped).toBe("iterations");
      expect(record(await resume(model, X))).toEqual(record(model));
      const further = await resume(model, X, { maxIterations: 8 });
      const single = await fit(X, { ...options, seed: deriveSeed(seed, model.restart), maxIterations: 8 });
      expect(further.history).toEqual(single.history);
    }
  });

  it("takes the same nested arrays in the precision they were fitted in", async () => {
    const thirds = rows.map((row) => row.map((x) => x / 3));
    for (const precision of ["f32", "f64"] as const) {
      const options: FitOptions = { k: K, precision, maxIterations: 2 };
      const early = await fit(thirds, options);
      const whole = await fit(thirds, { ...options, maxIterations: 50 });
      expect(record(await resume(early, thirds, { maxIterations: 50 }))).toEqual(record(whole));
    }
  });

  it("can be asked for more than the fit was", async () => {
    const options: FitOptions = { k: K, method: "hals", tolerance: 1e-2 };
    const rough = await fit(X, options);
    expect(rough.stopped).toBe("tolerance");
    expect(await resume(rough, X, { tolerance: 1e-6 })).toBe(rough);
  });
});

describe("predict", () => {
  it("agrees with the labels for nested arrays of any precision", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1e6 }), async (seed) => {
        // Two prototypes a hair apart: 32 bits of a sample are not enough to tell which is nearer.
        const near = randomRows(seed, 12, 3).map((row) => row.map((x) => 1 + x * 1e-8));
        const model = await fit(near, { k: 3, method: "kmeans", precision: "f64", seed });
        expect([...model.predict(near)]).toEqual([...model.labels]);
      }),
      { numRuns: 20 },
    );
  });

  it("takes new samples, nested, dense or sparse", async () => {
    const model = await fit(X, { k: K, seed: 1 });
    const fresh = blobRows(9, 10, 6, 6);
    const labels = [...model.predict(fresh)];
    expect([...model.predict(dense(fresh))]).toEqual(labels);
    expect([...model.predict(Sparse.fromDense(dense(fresh)))]).toEqual(labels);
    expect(model.predict(dense(fresh).slice(0, 0)).length).toBe(0);
  });

  it("does not depend on the weights of the fit", async () => {
    const model = await fit(X, { k: K, seed: 1, weights });
    expect([...model.predict(X)]).toEqual([...model.labels]);
  });

  it("keeps labels in as few bytes as k allows", async () => {
    const wide = dense(randomRows(2, 300, 3));
    expect((await fit(wide, { k: 256, maxIterations: 1 })).labels).toBeInstanceOf(Uint8Array);
    expect((await fit(wide, { k: 257, maxIterations: 1 })).labels).toBeInstanceOf(Uint16Array);
  });
});

describe("given prototypes", () => {
  it.each(SCALES)("are in the units of the samples: %s", async (scale) => {
    const init = X.slice(0, K);
    const { scaler } = await fit(X, { k: K, scale });
    const [inside, outside] = await Promise.all([
      fit(X, { k: K, init, scale }),
      fit(scaler.transform(X), { k: K, init: scaler.transform(init) }),
    ]);
    expect(inside.labels).toEqual(outside.labels);
    expect(inside.W.data.length).toBe(outside.W.data.length);
  });
});
