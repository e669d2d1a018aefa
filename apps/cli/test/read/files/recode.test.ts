import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readData, readParts } from "../../../src/read/read.js";
import { failure, makeFolder, rowsOf } from "../fixture.js";

const folder = makeFolder();
const CSV = "größe,kind\n1,œuf\n2,Łódź\n";
const little = (text: string) => Buffer.from(text, "utf16le");
const old = (text: string) => Buffer.from(text, "latin1");

describe("texts that are not UTF-8", () => {
  it.each([
    ["mark.csv", little(`\ufeff${CSV}`)],
    ["big.csv", little(`\ufeff${CSV}`).swap16()],
    ["bare.csv", little(CSV)],
    ["packed.csv.gz", gzipSync(little(`\ufeff${CSV}`))],
  ])("UTF-16 in a table: %s", async (name, bytes) => {
    const { features, labels, X, notes, kind } = await readData([folder.put(name, bytes)], { label: "kind" });
    expect({ features, labels, rows: rowsOf(X), notes, kind }).toEqual({
      features: ["größe"],
      labels: ["œuf", "Łódź"],
      rows: [[1], [2]],
      notes: [],
      kind: "csv",
    });
  });

  it("UTF-16 in other kinds of text", async () => {
    const jsonl = folder.put("a.jsonl", little('\ufeff{"x": 1}\n{"x": 2}\n'));
    expect(rowsOf((await readData([jsonl], {})).X)).toEqual([[1], [2]]);
    const svm = folder.put("a.svm", little("\ufeff1 1:5\n2 1:6\n"));
    expect((await readData([svm], {})).labels).toEqual([1, 2]);
    const prose = folder.put("a.txt", little("\ufeffred apples\nred plums\n"));
    expect((await readData([prose], {})).X.samples).toBe(2);
  });

  it("Windows-1252 in a table, with a note", async () => {
    const path = folder.put("old.csv", old("name,n\ncaf\xe9,1\nth\xe9 \x80,2\n"));
    const { ids, notes } = await readData([path], { id: "name" });
    expect(ids).toEqual(["café", "thé €"]);
    expect(notes).toContain(`${path} is not UTF-8 and was read as Windows-1252 (Latin 1)`);
    const { message } = await failure(
      readData([folder.put("bad.csv", old("n\xe4me,n\na,1\nb,x\nc,3\n"))], { features: ["n"] }),
    );
    expect(message).toContain("bad.csv");
  });

  it("also where the first such byte comes late", async () => {
    const late = `name,n\n${"tea,1\n".repeat(40_000)}caf\xe9,2\n`;
    const path = folder.put("late.csv", old(late));
    const { ids, notes } = await readData([path], { id: "name" });
    expect(ids?.at(-1)).toBe("café");
    expect(notes.some((note) => note.includes("Windows-1252"))).toBe(true);
    const parts = [];
    for await (const part of readParts([path], { id: "name" }, 50_000)) parts.push(part);
    expect(parts.map(({ X }) => X.samples)).toEqual([40_001]);
    expect(parts[0].ids?.at(-1)).toBe("café");
  });
});
