import { afterEach, expect, it, vi } from "vitest";
import { AbortError } from "../../src/model/abort.js";
import { fit } from "../../src/model/fit.js";

afterEach(() => void vi.restoreAllMocks());

it("hears an abort between passes over many samples", async () => {
  // Each look at the clock is a second after the last one, as if every pass took so long.
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 1000));
  const controller = new AbortController();
  setImmediate(() => controller.abort());
  // The scaler would refuse the values: it does not come to that.
  const X = [[1e308], [-1e308]];
  const fitted = fit(X, { k: 1, scale: "minmax", precision: "f64", signal: controller.signal });
  await expect(fitted).rejects.toThrow(AbortError);
  await expect(fit(X, { k: 1, scale: "minmax", precision: "f64" })).rejects.toThrow("too large to scale");
});
