// LIBSVM text, and its writer on what was read.
import { readLibsvm, writeLibsvm } from "bonmf";
import { loadLibsvm } from "bonmf-data";
import { encode } from "../containers.js";
import { attempt, expectSame } from "../oracle.js";

export const seeds = () => ["+1 1:2 4:1.5 # note\n-1 qid:3 3:5\n", "spam 0:1 7:-2e-3\r\nham\r\n"].map(encode);
export const tokens = ["qid:", "4294967295:1", "4294967294:1", " 1:", "#"];

export function read(bytes) {
  attempt(() => loadLibsvm([{ name: "input", bytes }]));
  const table = readLibsvm(bytes, { zeroBased: true, precision: "f64" });
  const written = attempt(() => writeLibsvm(table));
  if (written === undefined || table.X.features === 0) return;
  const again = readLibsvm(written, { features: table.X.features, precision: "f64" });
  expectSame(again.labels, table.labels, "labels after write");
  expectSame(withoutZeros(again.X), withoutZeros(table.X), "read after write");
}

function withoutZeros(X) {
  return Array.from({ length: X.samples }, (_, i) => {
    const row = [];
    X.each(i, (f, value) => value !== 0 && row.push(f, value));
    return row;
  });
}
