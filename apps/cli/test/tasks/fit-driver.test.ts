import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Dense, fit, saveModel } from "bonmf";
import { describe, expect, it } from "vitest";
import type { Terminal } from "../../src/command.js";
import type { Input } from "../../src/input/input.js";
import { makeStyle } from "../../src/show/text.js";
import { fitInput, fitToEnd } from "../../src/tasks/fit-driver.js";
import { makeFolder } from "../binary.js";

const X = new Dense(
  40,
  3,
  Float32Array.from({ length: 120 }, (_, i) => (i * 7919) % 13),
);
const options = { k: 4, seed: 1 };

/** Samples in memory, as little of them as the driver needs. */
function makeInput(more: Partial<Input> = {}): Input {
  return {
    place: "memory",
    name: "x.csv",
    kind: "csv",
    recipe: { kind: "csv" },
    samples: 40,
    features: 3,
    labels: null,
    X,
    options: { scale: "l2" },
    signal: new AbortController().signal,
    describeAbort: () => "",
    explain: (error) => new Error("explained", { cause: error }),
    checkpointPath: () => null,
    writeAssignments: async () => {},
    close: async () => {},
    ...more,
  };
}

function makeTerminal() {
  const notes: string[] = [];
  const updates: [done: number, total: number | null][] = [];
  let ended = 0;
  const terminal: Terminal = {
    out: () => {},
    data: () => {},
    note: (text) => notes.push(text),
    json: false,
    quiet: false,
    style: makeStyle(false),
    width: 80,
    progress: () => ({ update: (done, total) => void updates.push([done, total]), end: () => void ended++ }),
  };
  return { terminal, notes, updates, ended: () => ended };
}

describe("fitInput", () => {
  it("fits as the library does, with the options of the samples, and shows every iteration", async () => {
    const { terminal, updates, ended } = makeTerminal();
    const { model, aborted, threads } = await fitInput(makeInput(), terminal, {
      title: "fitting",
      options: { ...options, maxIterations: 50 },
    });
    const expected = await fit(X, { ...options, maxIterations: 50, scale: "l2" });
    expect(model!.history).toEqual(expected.history);
    expect(model!.scaler.name).toBe("l2");
    expect({ aborted, threads }).toEqual({ aborted: null, threads: 1 });
    expect(updates).toHaveLength(expected.iterations);
    expect(updates.at(-1)).toEqual([expected.iterations, 50]);
    expect(ended()).toBe(1);
  });

  it("gives what an aborted fit had reached; fitToEnd fails instead", async () => {
    const abort = () => {
      const stop = new AbortController();
      const input = makeInput({ signal: stop.signal });
      const { terminal } = makeTerminal();
      const progress = { update: () => stop.abort(new Error("stop")), end: () => {} };
      return { input, terminal: { ...terminal, progress: () => progress } };
    };
    const first = abort();
    const { model, aborted } = await fitInput(first.input, first.terminal, { title: "", options });
    expect(aborted).not.toBeNull();
    expect(model).toMatchObject({ stopped: "aborted", iterations: 1 });
    const second = abort();
    await expect(fitToEnd(second.input, second.terminal, { title: "", options })).rejects.toThrow("explained");
  });

  it("resumes a checkpoint to the same bits, and removes it", async () => {
    const checkpoint = join(makeFolder(), "fit.safetensors");
    const early = await fit(X, { ...options, scale: "l2", maxIterations: 1 });
    writeFileSync(checkpoint, saveModel(early));
    const { terminal, notes } = makeTerminal();
    const task = { title: "", options: { ...options, maxIterations: 50 }, checkpoint };
    const { model } = await fitInput(makeInput(), terminal, task);
    const whole = await fit(X, { ...options, scale: "l2", maxIterations: 50 });
    expect(model!.history).toEqual(whole.history);
    expect(notes).toEqual(["note: resuming after iteration 1 of an interrupted run"]);
    expect(existsSync(checkpoint)).toBe(false);
  });

  it("explains errors of the samples", async () => {
    const { terminal } = makeTerminal();
    const negative = makeInput({ X: Dense.from([[-1], [2]]), options: { scale: "none" } });
    await expect(fitInput(negative, terminal, { title: "", options: { k: 1, method: "nmf" } })).rejects.toThrow(
      "explained",
    );
  });
});
