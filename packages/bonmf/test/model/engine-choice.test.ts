import { describe, expect, it } from "vitest";
import { memorySource } from "../../src/engine/in-memory.js";
import type { MakeSource, SampleOptions } from "../../src/engine/source.js";
import { AbortError } from "../../src/model/abort.js";
import { fit, fitTransform, resume } from "../../src/model/fit.js";
import { blobRows, dense, record } from "../synthetic.js";

const X = dense(blobRows(3, 700, 5, 4), "f32");

/** An engine of one's own, which counts how often it was opened, and with what. */
function watched(): { engine: MakeSource; seen: SampleOptions[] } {
  const seen: SampleOptions[] = [];
  const engine: MakeSource = (Z, options) => {
    seen.push(options);
    options.onNote?.("opened elsewhere");
    return memorySource(Z, options.weights, options.unchecked, options.gaps);
  };
  return { engine, seen };
}

describe("fit's engine", () => {
  it("may be one's own, which gets the scaled samples, their weights and the notes", async () => {
    const { engine, seen } = watched();
    const notes: string[] = [];
    const weights = Array.from({ length: 700 }, (_, i) => 1 + (i % 3));
    const options = { k: 4, scale: "minmax", weights } as const;
    const elsewhere = await fit(X, { ...options, engine, onNote: (note) => notes.push(note) });
    expect(record(elsewhere)).toEqual(record(await fit(X, options)));
    expect(seen.map((each) => each.weights?.length)).toEqual([700]);
    expect(notes).toEqual(["opened elsewhere"]);
  });

  it("continues fits of others", async () => {
    const { engine, seen } = watched();
    const early = await fit(X, { k: 4, seed: 1, maxIterations: 2 });
    const late = await resume(early, X, { maxIterations: 100, engine });
    expect(seen.length).toBe(1);
    expect(record(late)).toEqual(record(await fit(X, { k: 4, seed: 1, maxIterations: 100 })));
  });

  it("is heard when it is aborted", async () => {
    const { engine } = watched();
    const stop = new AbortController();
    const failed = fit(X, { k: 4, engine, signal: stop.signal, onStep: () => stop.abort() });
    await expect(failed).rejects.toBeInstanceOf(AbortError);
  });

  it("leaves small fits to the CPU where it may choose", async () => {
    expect(record(await fit(X, { k: 4, engine: "auto" }))).toEqual(record(await fit(X, { k: 4, engine: "cpu" })));
  });

  it("is checked, and belongs to samples in memory", async () => {
    const wrong = "tpu" as "gpu";
    await expect(fit(X, { k: 2, engine: wrong })).rejects.toThrow(
      'engine "tpu" is not known: choose "cpu", "gpu" or "auto"',
    );
    await expect(fitTransform(X, { k: 2, engine: wrong })).rejects.toThrow("tpu");
    const early = await fit(X, { k: 2, maxIterations: 1 });
    await expect(resume(early, X, { engine: wrong })).rejects.toThrow("tpu");
    const source = memorySource(X, null);
    await expect(fit(source, { k: 2, engine: "gpu" })).rejects.toThrow("engine cannot be given to a source");
    await expect(resume(early, source, { engine: "cpu" })).rejects.toThrow("engine cannot be given to a source");
  });
});
