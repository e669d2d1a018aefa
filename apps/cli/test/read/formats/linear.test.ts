import { describe, expect, it } from "vitest";
import { readPnm } from "../../../src/read/formats/pnm.js";
import { readData } from "../../../src/read/read.js";
import { failure, makeFolder } from "../fixture.js";

const folder = makeFolder();
// Long enough that a reader of quadratic time takes minutes, and a linear one milliseconds.
const LONG = 400_000;
const spaces = " ".repeat(LONG);
const TIME = 20_000;

describe("no input takes more than linear time", () => {
  const header = "@relation r\n@attribute a numeric\n@attribute b string\n@data\n";

  it.each([
    ["blanks in a row", `${header}1,${spaces}'\n`],
    ["blanks between values", `${header}1${spaces}x,y\n`],
    ["quotes in a row", `${header}1,'${"\\'".repeat(LONG)}\n`],
    ["blanks in a declaration", `@relation r\n@attribute ${spaces}\n@attribute a {${spaces}\n@data\n1\n`],
  ])("ARFF as a table, %s", { timeout: TIME }, async (name, text) => {
    const path = folder.put(`${name}.arff`, text);
    expect((await failure(readData([path], { missing: "zero" }))).message).toContain(path);
  });

  it("headers of pictures", { timeout: TIME }, () => {
    for (const text of [`P5${spaces}`, `P2 ${"#\n".repeat(LONG)}1`, `P2 1 1 ${"#".repeat(LONG)}`]) {
      expect(() => readPnm(Buffer.from(text))).toThrow("header");
    }
  });
});
