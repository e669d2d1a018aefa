import { Dense, fit, saveModel, writeNpy } from "bonmf";
import { describe, expect, it } from "vitest";
import { detectKind, kindByLines } from "../src/detect-kind.js";

const encode = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));
const detect = (name: string, content: string | Uint8Array, gzip = false) =>
  detectKind({ name, bytes: typeof content === "string" ? encode(content) : content, gzip });

describe("the kind of a file", () => {
  it("comes from its first bytes, whatever its name", () => {
    expect(detect("a.csv", writeNpy(Dense.from([[1]])))).toBe("npy");
    expect(detect("b", "PK\x03\x04..........................X.npy")).toBe("npz");
    expect(detect("c.txt", "ARROW1\0\0")).toBe("arrow");
    expect(detect("d", "\xff\xff\xff\xff....")).toBe("arrow");
    expect(detect("e", "PAR1....PAR1")).toBe("parquet");
    expect(detect("f", "%%MatrixMarket matrix array real general\n")).toBe("market");
    expect(detect("g", "\x89PNG\r\n")).toBe("images");
    expect(detect("h", "\xff\xd8\xff")).toBe("images");
    expect(detect("i", "RIFF....WEBP")).toBe("images");
    expect(detect("j", "P2\n1 1\n255\n7\n")).toBe("images");
  });

  it("comes from its name where the bytes are text, gzipped or not", () => {
    expect(detect("a.CSV", "1:2 3:4\n")).toBe("csv");
    expect(detect("b.tsv.gz", "x\ty\n", true)).toBe("csv");
    expect(detect("c.jsonl", "{}\n")).toBe("jsonl");
    expect(detect("d.svm", "1 1:2\n")).toBe("libsvm");
    expect(detect("e.arff", "% hello\n")).toBe("arff");
  });

  it("looks inside gzip for names and bytes", () => {
    expect(detect("k.gz", writeNpy(Dense.from([[1]])), true)).toBe("npy");
    expect(detect("l.txt.gz", "+1 1:2 3:4\n-1 2:0.5\n", true)).toBe("libsvm");
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
    // One comma a line, but sentences.
    ["I like tea, but not coffee.\nShe came late, and left early.\nIt rained, so we stayed.\n", undefined],
    ["After lunch, at two, we left.\nOn Monday, as ever, he sang.\n", undefined],
    ["We waited; nobody came to us.\nIt is late; go to bed now.\n", undefined],
    ["Le sac pèse 1,5 kg en tout\nLa table fait 2,25 m de long\n", undefined],
    ['"Go," she said, and we went home.\n"Stay," he said, but we did not.\n', undefined],
    ["<p>goal and cup</p>&nbsp;<b>more</b>\n<p>vote and tax</p>&#160;<i>less</i>\n", undefined],
    // Tables of words, of numbers after a space, and of sentences.
    ["name, city\nAnn, Rome\nBob, New York\n", "csv"],
    ["sentence, stars\nthe food was very good, 5\nI would not come back here, 1\n", "csv"],
    ["label,text\ngood,the food was very good\nbad,I would not come back\n", "csv"],
    ["a text; another text\n12; 7\n3; 9\n", "csv"],
  ])("guesses lines %j", (text, kind) => expect(kindByLines(text)).toBe(kind));

  it("looks through UTF-16", () => {
    const wide = (text: string) => [...text].map((c) => `${c}\0`).join("");
    expect(detect("r", `\xff\xfe${wide("a,b\n1,2\n3,4\n")}`)).toBe("csv");
    expect(detect("r", wide('{"a": 1}\n{"a": 2}\n'))).toBe("jsonl");
    expect(detect("r", `\xfe\xff\0${wide("hello all\n").slice(0, -1)}`)).toBe("text");
  });

  it("takes lines it cannot tell for text, but .data for a table", () => {
    expect(detect("m.txt", "One day, long ago, it rained.\nThen it stopped.\n")).toBe("text");
    expect(detect("n.data", "x\ny\n")).toBe("csv");
  });

  it("is not NPY or NPZ by name alone", () => {
    expect(() => detect("a.npy", "1,2\n3,4\n")).toThrow(
      expect.objectContaining({
        message: 'a.npy is not an NPY file: its first bytes are "1,2\\n3,4\\n"',
        hint: "write it with numpy.save, or rename it if it is something else, as to .csv",
      }),
    );
    expect(() => detect("b.npz", "\x01\x02\x03")).toThrow("b.npz is not an NPZ file: its first bytes are 01 02 03");
    expect(() => detect("c.npy.gz", "x y\n", true)).toThrow("c.npy.gz is not an NPY file");
  });

  it("says what it cannot read, and what to do", async () => {
    expect(() => detect("o.csv", "")).toThrow("o.csv is empty");
    const model = saveModel(await fit([[1, 2]], { k: 1 }));
    expect(() => detect("p", model)).toThrow("p is a saved model, which is not read");
    expect(() => detect("q.h5", "\x89HDF\r\n")).toThrow("q.h5 is an HDF5 file, which is not read");
    expect(() => detect("s", "ab\0cd")).toThrow("s is not a file of a known kind");
    expect(() => detect("t.gz", "PAR1", true)).toThrow("t.gz is a gzipped parquet file");
  });
});
