import { describe, expect, it } from "vitest";
import { toCsv } from "../src/csv.js";
import { toMarkdown } from "../src/markdown.js";
import { summarise } from "../src/summary.js";
import { files, makeCell, makeResults } from "./table.js";

const marks = (results: ReturnType<typeof makeResults>) =>
  Object.fromEntries(results.datasets[0].lines.map(({ column, mark }) => [column, mark]));

describe("the winner", () => {
  it("is marked where no interval holds 0", () => {
    const results = makeResults({ nearest: [0.8, 0.81, 0.82], majority: [0.7, 0.71, 0.72], auto: [0.9, 0.91, 0.92] });
    expect(marks(results)).toEqual({ nearest: null, majority: null, auto: "best" });
    const { behind, lead } = results.datasets[0].lines.find(({ column }) => column === "majority")!;
    expect(behind!.mean).toBeCloseTo(0.2, 12);
    expect(lead!.mean).toBeCloseTo(-0.1, 12);
  });

  it("is not one where the splits disagree", () => {
    const results = makeResults({ nearest: [0.8, 0.9, 0.8], majority: [0.5, 0.51, 0.5], auto: [0.9, 0.8, 0.9] });
    expect(marks(results)).toEqual({ nearest: "tied", majority: null, auto: "tied" });
  });

  it("is nobody where all gave the same answers, nor after a single run", () => {
    expect(marks(makeResults({ majority: [0.6, 0.7, 0.5], commonest: [0.6, 0.7, 0.5] }))).toEqual({
      majority: "tied",
      commonest: "tied",
    });
    const one = makeResults({ majority: [0.6], auto: [0.9] });
    expect(marks(one)).toEqual({ majority: "tied", auto: "tied" });
    expect(one.datasets[0].lines[0].accuracy.deviation).toBeNull();
  });
});

it("times are medians of the runs that had the machine to themselves", () => {
  const cells = [0, 1, 2, 3].map((run) =>
    makeCell("monkey", "nearest", run, 0.5, { train: [3, 1, 2, 99][run], alone: run < 3 }),
  );
  const experiment = {
    files,
    version: "1",
    machine: "m",
    seed: 0,
    runs: 4,
    datasets: ["monkey"],
    columns: ["nearest"],
  };
  expect(summarise(cells, experiment).datasets[0].lines[0].train).toBe(2);
  const busy = cells.map((cell) => ({ ...cell, alone: false }));
  expect(summarise(busy, experiment).datasets[0].lines[0].train).toBeNull();
});

it("runs beyond those asked for do not count", () => {
  const cells = [0.5, 0.7, 0.9].map((accuracy, run) => makeCell("monkey", "nearest", run, accuracy));
  const experiment = {
    files,
    version: "1",
    machine: "m",
    seed: 0,
    runs: 2,
    datasets: ["monkey"],
    columns: ["nearest"],
  };
  expect(summarise(cells, experiment).datasets[0].lines[0].accuracy.values).toEqual([0.5, 0.7]);
});

describe("the claims", () => {
  const columns = { nearest: [0.8, 0.8, 0.8], commonest: [0.5, 0.5, 0.5] };
  const met = (auto: readonly number[], more = {}) =>
    makeResults({ ...columns, auto }, more).bars.map((bar) => bar.met);

  // The paper has 80.95 for Monkey.
  it("hold above the paper's figure and the baseline", () =>
    expect(met([0.81, 0.81, 0.81])).toEqual([true, true, true]));
  it("fail below the baseline", () => expect(met([0.48, 0.49, 0.48])[1]).toBe(false));
  it("allow a standard error", () => expect(met([0.4, 0.5, 0.58])[1]).toBe(true));
  it("fail where H takes more than labels", () => expect(met([0.9, 0.9, 0.9], { memory: 445 * 16 })[2]).toBe(false));
  it("say which dataset is below", () => {
    const results = makeResults({ auto: [0.8, 0.8, 0.8] });
    expect(results.bars).toMatchObject([{ met: true, seen: "0 of 1; not Monkey" }]);
  });
});

describe("written out", () => {
  const results = makeResults({ nearest: [0.8, 0.81, 0.82], commonest: [0.5, 0.5, 0.5], auto: [0.9, 0.91, 0.92] });

  it("as CSV has one row for each dataset and column, and numbers as they are", () => {
    const [head, ...rows] = toCsv(results).trimEnd().split("\n");
    const names = head.split(",");
    expect(rows.map((row) => row.split(",").length)).toEqual([names.length, names.length, names.length]);
    const first = Object.fromEntries(rows[0].split(",").map((cell, c) => [names[c], cell]));
    expect(first).toMatchObject({
      dataset: "monkey",
      column: "nearest",
      runs: "3",
      train_s: "2",
      paper_train_s: "0.1",
    });
    expect(Number(first.accuracy)).toBeCloseTo(0.81, 12);
    expect(Number(first.paper_accuracy)).toBeCloseTo(0.8095, 12);
    expect(Object.fromEntries(rows[1].split(",").map((cell, c) => [names[c], cell])).paper_accuracy).toBe("");
  });

  it("as Markdown has whole tables", () => {
    const text = toMarkdown(results);
    expect(text).toContain("bonmf 9.9.9, 3 runs from seed 0, on a machine: `bonmf reproduce --runs 3 --seed 0`.");
    expect(text).toContain(
      "| Algorithm 1, nearest | 2.0 s | 100 ms | 500 ms | 140 ms | 81.00 ± 1.00 | 80.95 | 10.00 [10.00, 10.00] |",
    );
    expect(text).toContain("| Monkey | 81.00 ± 1.00 | 50.00 ± 0.00 | 91.00 ± 1.00 * | 80.95 |");
    for (const table of text.split("\n\n").filter((part) => part.startsWith("|"))) {
      const widths = table.split("\n").map((row) => row.split("|").length);
      expect(new Set(widths).size).toBe(1);
    }
  });
});
