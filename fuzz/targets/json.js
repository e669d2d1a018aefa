// JSON lines and arrays of objects as tables.
import { readJson, readTable } from "bonmf-data";
import { encode } from "../containers.js";
import { isRefusal } from "../oracle.js";

export const seeds = () =>
  [
    '{"a":1,"b":"x"}\n{"a":2.5,"b":"y","c":[1,2]}\n',
    '[{"a":1,"v":[1,2,3]},{"a":null,"v":[4,5,6]}]',
    '{"a":true,"t":"2024-01-02","n":{"m":1}}\n',
  ].map(encode);
export const tokens = ['"__proto__":', '"toString":', "null", "true", "[1,2]", "{}", "1e999", "\\u0000", "\\ud800"];

export async function read(bytes) {
  const text = new TextDecoder().decode(bytes);
  const table = { kind: "jsonl", name: "input.jsonl", notes: [], ...readJson(text, "input.jsonl") };
  for (const options of [{}, { missing: "mean" }]) {
    await readTable(table, options).catch((error) => {
      if (!isRefusal(error)) throw error;
    });
  }
}
