import { Dense, silhouettes } from "bonmf";
import { describe, expect, it } from "vitest";
import { measureSilhouette } from "../../src/tasks/silhouette.js";

/** More samples than are measured together. */
const n = 5000;
const X = Dense.from(Array.from({ length: n }, (_, i) => [i % 7, (i * i) % 11, (i * 5) % 3]));
const labels = Array.from({ length: n }, (_, i) => i % 4);
const weights = labels.map((_, i) => (i % 10) / 4);

describe("the mean silhouette", () => {
  it.each(["cosine", "squared"] as const)("by %s is the library's, with weights too", async (metric) => {
    expect(await measureSilhouette(X, labels, { metric })).toBe(silhouettes(X, labels, { metric }).mean());
    const options = { metric, weights };
    expect(await measureSilhouette(X, labels, options)).toBe(silhouettes(X, labels, options).mean());
  });

  it("is not defined for one cluster", async () => {
    expect(await measureSilhouette(X, new Uint8Array(n), { metric: "cosine" })).toBeNull();
  });

  it("ends when it is told to", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(measureSilhouette(X, labels, { metric: "cosine" }, signal)).rejects.toThrow("enough");
  });
});
