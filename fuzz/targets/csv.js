// The library's CSV reader, and its writer on what was read.
import { readCsv, writeCsv } from "bonmf";
import { encode } from "../containers.js";
import { attempt, expectSame } from "../oracle.js";

export const seeds = () =>
  ["a,b,class\n1,2,x\n3,4.5e-3,y\n", '"a ""q""";b\r\n1;2\r\n\r\n-3;+.5\r\n', "1\t2\n3\t4\n"].map(encode);

export function read(bytes) {
  attempt(() => readCsv(bytes, { precision: "f64", label: "class" }));
  const table = readCsv(bytes);
  const again = readCsv(writeCsv(table), { header: true });
  expectSame(again.X, table.X, "read after write");
  if (table.featureNames) expectSame(again.featureNames, table.featureNames, "names after write");
}
