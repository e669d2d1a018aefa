import { describe, expect, it } from "vitest";
import { Dense } from "../../src/matrix/dense.js";
import { AbortError } from "../../src/model/abort.js";
import { fit, resume } from "../../src/model/fit.js";

describe("a long initialisation", () => {
  const many = Dense.from(Array.from({ length: 300 }, (_, i) => [1 + (i % 7), 1 + (i % 11), 1 + (i % 13)]));

  it.each([
    ["plusplus", 12],
    ["nndsvd", 8],
    ["columns", 0],
  ] as const)("reports its passes before the first sweep: %s", async (init, total) => {
    const events: string[] = [];
    await fit(many, {
      k: 12,
      init,
      restarts: 2,
      threads: 1,
      onStart: ({ restart, done, total }) => events.push(`start ${restart}: ${done} of ${total}`),
      onStep: ({ restart, iteration }) => iteration === 1 && events.push(`step ${restart}`),
    });
    const expected = [0, 1].flatMap((restart) => [
      ...Array.from({ length: total }, (_, j) => `start ${restart}: ${j + 1} of ${total}`),
      `step ${restart}`,
    ]);
    expect(events).toEqual(expected);
  });

  it.each(["plusplus", "nndsvd"] as const)("ends at an abort, without a model: %s", async (init) => {
    const stop = new AbortController();
    let starts = 0;
    const onStart = () => {
      if (++starts === 3) stop.abort();
    };
    const steps: number[] = [];
    const error = await fit(many, { k: 12, init, signal: stop.signal, onStart, onStep: () => steps.push(1) }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(AbortError);
    expect((error as AbortError).model).toBeNull();
    expect({ starts, steps }).toEqual({ starts: 3, steps: [] });
  });

  it("in a later restart keeps the runs before it", async () => {
    const stop = new AbortController();
    const onStart = ({ restart, done }: { restart: number; done: number }) => {
      if (restart === 1 && done === 2) stop.abort();
    };
    const options = { k: 5, init: "plusplus", restarts: 3, threads: 1 } as const;
    const error = await fit(many, { ...options, signal: stop.signal, onStart }).catch((reason: unknown) => reason);
    const { model } = error as AbortError;
    expect(model?.restart).toBe(0);
    const [resumed, whole] = [await resume(model!, many), await fit(many, options)];
    expect([resumed.restart, resumed.potential]).toEqual([whole.restart, whole.potential]);
  });
});
