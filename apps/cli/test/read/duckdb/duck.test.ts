import { expect, it } from "vitest";
import { Duck } from "../../../src/read/duckdb/duck.js";

it("stops a query that is about to begin when the signal comes", async () => {
  for (let step = 0; step < 8; step++) {
    const control = new AbortController();
    const duck = await Duck.open(control.signal);
    const endless = duck.run("select sum(a.range * b.range) from range(10000000) a, range(10000000) b");
    for (let turn = 0; turn < step; turn++) await new Promise(setImmediate);
    control.abort();
    await expect(endless).rejects.toThrow("Interrupted");
    duck.close();
  }
});
