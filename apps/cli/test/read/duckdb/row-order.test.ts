import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readData, readParts } from "../../../src/read/read.js";
import { makeFolder } from "../../binary.js";

/** Several threads read a file of this size. */
const ROWS = 150_000;
const path = join(makeFolder(), "rows.csv");
const filler = Array.from({ length: 40 }, (_, f) => `${f}.25`).join(",");
writeFileSync(
  path,
  `n,${filler.replaceAll(/\d+\.25/g, (x) => `f${Number.parseInt(x, 10)}`)},class\n${Array.from({ length: ROWS }, (_, i) => `${i},${filler},c${i % 7}\n`).join("")}`,
);

describe("rows keep their order", () => {
  it("with a class, which may be missing", async () => {
    const { X, labels } = await readData([path], { label: "class", strict: true });
    const { data, features } = X.toDense();
    const astray = Array.from({ length: ROWS }, (_, i) => i).filter(
      (i) => data[i * features] !== i || labels![i] !== `c${i % 7}`,
    );
    expect(astray).toEqual([]);
  });

  it("in parts", async () => {
    let before = 0;
    for await (const { X } of readParts([path], { label: "class", strict: true }, 4096)) {
      const { data, features } = X.toDense();
      for (let i = 0; i < X.samples; i++) if (data[i * features] !== before + i) expect(before + i).toBe(-1);
      before += X.samples;
    }
    expect(before).toBe(ROWS);
  });
});
