import { describe, expect, it } from "vitest";
import { readArff, readCsv, readLibsvm, readMatrixMarket, readNpy } from "../../src/io/index.js";
import { parseDecimal } from "../../src/io/number.js";

// Long enough that a reader of quadratic time takes minutes, and a linear one milliseconds.
const LONG = 400_000;
const spaces = " ".repeat(LONG);
const digits = "1".repeat(LONG);
const TIME = 20_000;

const ARFF = "@relation r\n@attribute a numeric\n@attribute c {x,y}\n@data\n";

/** Inputs that are hard on backtracking, and on loops within loops. */
const CASES: Record<string, () => unknown> = {
  "ARFF, blanks in a declaration": () => readArff(`@relation r\n@attribute a {x${spaces}`),
  "ARFF, blanks after a brace": () => readArff(`@relation r\n@attribute a {${spaces}"`),
  "ARFF, blanks for a name": () => readArff(`@relation r\n@attribute ${spaces}?`),
  "ARFF, a long name": () => readArff(`@relation r\n@attribute ${"a".repeat(LONG)}`),
  "ARFF, open quotes": () => readArff(`@relation r\n@attribute '${"\\'".repeat(LONG)}`),
  "ARFF, blanks in a row": () => readArff(`${ARFF}1,${spaces}z`),
  "ARFF, a row of blanks": () => readArff(`${ARFF}{0 1,${spaces}}`),
  "ARFF, many nominal values": () => {
    const values = Array.from({ length: LONG / 4 }, (_, i) => `v${i}`);
    const rows = values.map((value) => `1,${value}`).join("\n");
    readArff(`@relation r\n@attribute a numeric\n@attribute c {${values}}\n@data\n${rows}\n1,z`);
  },
  "LIBSVM, blanks": () => readLibsvm(`1 1:1${spaces}x`),
  "LIBSVM, comments": () => readLibsvm(`1 1:1 ${"#".repeat(LONG)}\nx 0:1`),
  "Matrix Market, blanks in the banner": () => readMatrixMarket(`%%MatrixMarket${spaces}matrix${spaces}x`),
  "Matrix Market, comments": () => readMatrixMarket(`%%MatrixMarket matrix array real general\n${"%\n".repeat(LONG)}`),
  "CSV, quotes": () => readCsv(`a,b\n1,"${'""'.repeat(LONG)}`),
  "CSV, blanks": () => readCsv(`a,b\n1,${spaces}x${spaces}\n`),
  "CSV, a number of many digits": () => readCsv(`a,b\n1,${digits}x\n`),
  "NPY, a header of open shapes": () => {
    const header = "'shape':(".repeat(7000);
    const bytes = new TextEncoder().encode(`.NUMPY..    ${header}`);
    bytes[0] = 0x93;
    new DataView(bytes.buffer).setUint32(8, header.length, true);
    bytes.set([2, 0], 6);
    readNpy(bytes);
  },
};

describe("no input takes more than linear time", () => {
  for (const [name, read] of Object.entries(CASES)) it(name, () => expect(read).toThrow(), TIME);

  it(
    "numbers near the middle of two others",
    () => {
      expect(parseDecimal(`1.000000059604644775390625${"0".repeat(LONG)}`, "f32")).toBe(1);
      expect(parseDecimal(`1.000000059604644775390625${"0".repeat(LONG)}1`, "f32")).toBeGreaterThan(1);
    },
    TIME,
  );
});
