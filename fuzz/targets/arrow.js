// Arrow files and streams: metadata, batches, columns as DuckDB takes them.
import { writeFileSync } from "node:fs";
import { Field, Float64, List, Table, tableFromArrays, tableToIPC, vectorFromArray } from "apache-arrow";
import { useArrow } from "../../apps/cli/src/read/formats/arrow-file.ts";
import { readChunks } from "../../apps/cli/src/read/formats/arrow-table.ts";
import { placeFile } from "../scratch.js";

export function seeds() {
  const small = tableFromArrays({ a: Int32Array.of(1, 2), b: Float64Array.of(0.5, 1.5) });
  const lists = vectorFromArray([[1], [], [2, 3]], new List(new Field("item", new Float64())));
  const mixed = new Table({ t: vectorFromArray(["x", "y", "x"]), n: vectorFromArray([1, null, 3]), l: lists });
  return [small, mixed].flatMap((table) => [tableToIPC(table, "file"), tableToIPC(table, "stream")]);
}
export const tokens = ["ARROW1", "\xff\xff\xff\xff", "\0\0\0\0"];

const path = placeFile("arrow");

export async function read(bytes) {
  writeFileSync(path, bytes);
  const file = { path, name: "input.arrow" };
  await useArrow(file, {}, async (arrow) => {
    const { chunks } = readChunks(file, arrow);
    for await (const _ of chunks);
  });
}
