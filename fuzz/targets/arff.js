// ARFF: the library's reader, and as a table of the command and the studio.
import { readArff } from "bonmf";
import { readArffTable, readTable } from "bonmf-data";
import { encode } from "../containers.js";
import { attempt } from "../oracle.js";

export const seeds = () =>
  [
    "% note\n@relation r\n@attribute a numeric\n@attribute 'b c' real\n@attribute class {x,'y z'}\n@data\n1,2,x\n3,-4e2,'y z'\n",
    "@RELATION r\n@ATTRIBUTE a INTEGER\n@ATTRIBUTE k {p,q}\n@DATA\n{0 1, 1 q}\n{}\n?,p\n",
    "@relation r\n@attribute t string\n@attribute d date 'yyyy-MM-dd'\n@attribute n real\n@data\n'a\\'b',\"2024-01-02\",1\n",
  ].map(encode);
export const tokens = ["@attribute", "@data", "@relation", "@end", "numeric", "relational", "{", "}", "%", "?", "\\'"];

export async function read(bytes) {
  attempt(() => readArff(bytes, { precision: "f64" }));
  const table = readArffTable(bytes, "input.arff");
  if (table !== null) await readTable({ kind: "arff", name: "input.arff", ...table }, { missing: "median" });
}
