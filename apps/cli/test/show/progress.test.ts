import { describe, expect, it } from "vitest";
import { describe as describeProgress, showProgress } from "../../src/show/progress.js";
import { openTerminal, type Stream } from "../../src/show/terminal.js";
import { widthOf } from "../../src/show/text.js";

function record(isTTY: boolean, columns = 80): Stream & { text: string } {
  return {
    text: "",
    isTTY,
    columns,
    write(text) {
      this.text += text;
    },
  };
}

describe("the line", () => {
  it("has bar, share, amount, rate and time left", () => {
    expect(describeProgress("reading", 250_000, 1_000_000, "rows", 2, 120)).toBe(
      "reading ████░░░░░░░░░░░░ 25 %  250,000 rows  125,000/s  6 s left",
    );
    expect(describeProgress("reading", 5e8, 1e9, "bytes", 2, 120)).toContain("50 %  500 MB  250 MB/s  2 s left");
  });

  it("has no bar where the end is not known", () => {
    expect(describeProgress("reading", 1000, null, "rows", 1, 120)).toBe("reading  1,000 rows  1,000/s");
  });

  it("names no amount where there is a share alone", () => {
    expect(describeProgress("choosing k", 0.4, 1, "share", 2, 120)).toBe("choosing k ██████░░░░░░░░░░ 40 %  3 s left");
  });

  it("does not pass 100 % and promises nothing at the end", () => {
    const text = describeProgress("fitting", 12, 10, "iterations", 1, 120, "error 0.4");
    expect(text).toContain("100 %");
    expect(text).not.toContain("left");
    expect(text).toMatch(/error 0\.4$/);
  });

  it.each([20, 40, 80])("fits into %i columns", (width) => {
    expect(widthOf(describeProgress("fitting", 5, 10, "iterations", 1, width, "error 0.4321"))).toBeLessThan(width);
  });
});

it("draws at most ten times a second, and not at all for work that ends at once", () => {
  let time = 0;
  let drawn = 0;
  const line = { draw: () => drawn++, clear() {}, width: 80 };
  const progress = showProgress("reading", line, () => time);
  for (time = 0; time < 99; time++) progress.update(time, 5000, "rows");
  expect(drawn).toBe(0);
  for (time = 99; time < 2000; time++) progress.update(time, 5000, "rows");
  expect(drawn).toBe(19);
});

describe("the terminal", () => {
  it("keeps progress to terminals and out of --quiet", async () => {
    for (const [isTTY, quiet] of [
      [false, false],
      [true, true],
    ]) {
      const stderr = record(isTTY);
      const progress = openTerminal({ stdout: record(true), stderr, env: {} }, { quiet }).progress("reading");
      await new Promise((resolve) => setTimeout(resolve, 120));
      progress.update(1, 2, "rows");
      progress.end();
      expect(stderr.text).toBe("");
    }
  });

  it("takes the line away before anything else is said, and at the end", async () => {
    const stderr = record(true);
    const stdout = record(true);
    const terminal = openTerminal({ stdout, stderr, env: {} });
    const progress = terminal.progress("reading");
    await new Promise((resolve) => setTimeout(resolve, 120));
    progress.update(1, 2, "rows");
    expect(stderr.text.startsWith("\r\x1b[2Kreading ")).toBe(true);
    expect(stderr.text).toContain("50 %");
    terminal.note("hello");
    expect(stderr.text.endsWith("\r\x1b[2Khello\n")).toBe(true);
    const before = stderr.text;
    progress.end();
    expect(stderr.text).toBe(before);
    terminal.out("result\n");
    terminal.out("more");
    expect(stdout.text).toBe("result\nmore\n");
  });

  it("says no notes when quiet, but gives results", () => {
    const stderr = record(false);
    const stdout = record(false);
    const terminal = openTerminal({ stdout, stderr, env: {} }, { quiet: true });
    terminal.note("note");
    terminal.out("result");
    expect([stdout.text, stderr.text]).toEqual(["result\n", ""]);
  });
});
