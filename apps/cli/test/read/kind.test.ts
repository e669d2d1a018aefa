import { gzipSync } from "node:zlib";
import { Dense, fit, saveModel, writeNpy } from "bonmf";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { detectKind, guessKind } from "../../src/read/kind.js";
import { failure, foreign, makeFolder } from "./fixture.js";

const folder = makeFolder();
const detect = (name: string, content: string | Uint8Array) => detectKind({ path: folder.put(name, content), name });

describe("the kind of a file", () => {
  it("comes from its first bytes, whatever its name", async () => {
    expect(await detect("a.csv", writeNpy(Dense.from([[1]])))).toBe("npy");
    expect(await detect("b", foreign("dense.npz"))).toBe("npz");
    expect(await detect("c.txt", foreign("lz4.feather"))).toBe("arrow");
    expect(await detect("d", foreign("stream.arrow"))).toBe("arrow");
    expect(await detect("e", "PAR1....PAR1")).toBe("parquet");
    expect(await detect("f", "%%MatrixMarket matrix array real general\n")).toBe("market");
    const blank = sharp({ create: { width: 2, height: 2, channels: 3, background: "red" } });
    expect(await detect("g", await blank.clone().png().toBuffer())).toBe("images");
    expect(await detect("h", await blank.clone().jpeg().toBuffer())).toBe("images");
    expect(await detect("i", await blank.clone().webp().toBuffer())).toBe("images");
    expect(await detect("j", "P2\n1 1\n255\n7\n")).toBe("images");
  });

  it("comes from its name where the bytes are text, gzipped or not", async () => {
    expect(await detect("a.CSV", "1:2 3:4\n")).toBe("csv");
    expect(await detect("b.tsv.gz", gzipSync("x\ty\n"))).toBe("csv");
    expect(await detect("c.jsonl", "{}\n")).toBe("jsonl");
    expect(await detect("d.svm", "1 1:2\n")).toBe("libsvm");
    expect(await detect("e.arff", "% hello\n")).toBe("arff");
  });

  it("looks inside gzip for names and bytes", async () => {
    expect(await detect("k.gz", gzipSync(writeNpy(Dense.from([[1]]))))).toBe("npy");
    expect(await detect("l.txt.gz", gzipSync("+1 1:2 3:4\n-1 2:0.5\n"))).toBe("libsvm");
  });

  it.each([
    ["+1 1:2 3:4 # note\n-1\n-1 qid:3 2:0.5\n", "libsvm"],
    ["% about\n@relation x\n@attribute a numeric\n", "arff"],
    ['{"a": 1}\n{"a": 2}\n', "jsonl"],
    ["a,b\n1,2\n3,4\n", "csv"],
    ['name;n\n"x;y";2\n', "csv"],
    ["1 2 3\n4 5 6\n", "csv"],
    ["One day, long ago, it rained.\nThen it stopped.\n", undefined],
    ["see chapter 12:30 of the book\nno pairs here at all\n", undefined],
    ["hello\n", undefined],
  ])("guesses lines %j", (text, kind) => expect(guessKind(text)).toBe(kind));

  it("takes lines it cannot tell for text, but .data for a table", async () => {
    expect(await detect("m.txt", "One day, long ago, it rained.\nThen it stopped.\n")).toBe("text");
    expect(await detect("n.data", "x\ny\n")).toBe("csv");
  });

  it("says what it cannot read, and what to do", async () => {
    expect(await failure(detect("o.csv", ""))).toMatchObject({ name: "UserError", message: "o.csv is empty" });
    const model = saveModel(await fit([[1, 2]], { k: 1 }));
    expect(await failure(detect("p", model))).toMatchObject({ message: "p is a saved model, which is not read" });
    expect(await failure(detect("q.h5", Buffer.from("\x89HDF\r\n", "latin1")))).toMatchObject({
      message: "q.h5 is an HDF5 file, which is not read",
    });
    expect(await failure(detect("r", Uint8Array.of(0xff, 0xfe, 0x61, 0)))).toMatchObject({
      message: "r is UTF-16 text, which is not read",
      hint: "save it as UTF-8",
    });
    expect(await failure(detect("s", "ab\0cd"))).toMatchObject({ message: "s is not a file of a known kind" });
    expect(await failure(detect("t.gz", Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff)))).toMatchObject({
      message: "t.gz: the gzip file is damaged",
    });
  });
});
