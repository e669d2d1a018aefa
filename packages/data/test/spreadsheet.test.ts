import { expect, it } from "vitest";
import { defuseFormulas } from "../src/index.js";
import { HOSTILE_NAMES } from "./fixtures/hostile-names.js";

it.each([
  ["=1+1,+1+1,-1+1,@x", "'=1+1,'+1+1,'-1+1,'@x"],
  ['"=1,2","a,=b","""=x"', '"\'=1,2","a,=b","""=x"'],
  ['"\tx","\rx","\nx"', '"\'\tx","\'\rx","\'\nx"'],
  ["＝1,-", "'＝1,'-"],
  ["a=b,a-1, =1", "a=b,a-1, =1"],
  ["a\n=b\n", "a\n'=b\n"],
])("%j becomes %j", (line, safe) => expect(defuseFormulas(line, ",")).toBe(safe));

it("leaves numbers and empty cells", () => {
  const line = "-1,+1,-0,-.5,1e-5,-1.5E+300,-Infinity,,0\n";
  expect(defuseFormulas(line, ",")).toBe(line);
});

it("knows the separator of TSV", () => expect(defuseFormulas("a\t=b\t@c,=d", "\t")).toBe("a\t'=b\t'@c,=d"));

it("leaves no cell that begins as a formula, whatever its text", () => {
  const cells = Object.values(HOSTILE_NAMES).map((name) => `"${name.replaceAll('"', '""')}"`);
  const safe = defuseFormulas(cells.join(","), ",");
  const texts = [...safe.matchAll(/(?:^|,)"((?:[^"]|"")*)"/g)].map(([, text]) => text.replaceAll('""', '"'));
  expect(texts.map((text) => text.replace(/^'(?=[=+\-@])/, ""))).toEqual(Object.values(HOSTILE_NAMES));
  expect(texts.filter((text) => /^[=+\-@\t\r]/.test(text))).toEqual([]);
});
