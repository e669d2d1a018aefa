import type { TablePlan } from "bonmf-data";
import type { Footer } from "./footer.js";
import type { Chunk, Codec } from "./order.js";
import { canUnpack } from "./unpack.js";

/** A row group: for each feature where its values are. */
export interface Group {
  readonly rows: number;
  readonly chunks: readonly Chunk[];
  /** Bytes of all of them unpacked. */
  readonly size: number;
}

/** Plain, by a dictionary (under its old and its new number), and those of levels. */
const ENCODINGS = new Set([0, 2, 8, 3, 4]);

/**
 * Where the values of the planned columns lie in Parquet files, group after group; null where one is not a column of
 * plain numbers, the same in all files, with none missing as far as is known.
 */
export function surveyFiles(plan: TablePlan, footers: readonly Footer[]): Group[] | null {
  if (plan.parts.some(({ values }) => values)) return null;
  const groups: Group[] = [];
  let first: string | undefined;
  for (const [file, footer] of footers.entries()) {
    const { format, fields } = footer;
    const find = indexFields(footer);
    const places = plan.parts.flatMap(({ column }) => find(column) ?? []);
    const kinds = places.flatMap((f) => fields[f].kind ?? []);
    const found = places.map((f) => fields[f].type).join();
    first ??= found;
    if (kinds.length < plan.parts.length || found !== first) return null;
    for (const { rows, blocks } of footer.groups) {
      let size = 0;
      const chunks: Chunk[] = [];
      for (const [c, f] of places.entries()) {
        const { codec, encodings, values, start, end, missing = 0, ...block } = blocks[f];
        const usual = values === rows && missing === 0 && encodings.every((name) => ENCODINGS.has(name));
        if (!usual || !canUnpack(codec)) return null;
        size += block.size;
        const levels = fields[f].optional;
        chunks.push({ file, format, values, start, end, codec: codec as Codec, kind: kinds[c], levels });
      }
      if (rows > 0) groups.push({ rows, chunks, size });
    }
  }
  return groups;
}

/** The place of a name; undefined where there is none, or another that differs only in case. */
function indexFields({ fields }: Footer): (name: string) => number | undefined {
  const places = new Map<string, number[]>();
  for (const [f, { name }] of fields.entries()) {
    const key = name.toLowerCase();
    places.set(key, [...(places.get(key) ?? []), f]);
  }
  return (name) => {
    const same = places.get(name.toLowerCase()) ?? [];
    return same.length === 1 && fields[same[0]].name === name ? same[0] : undefined;
  };
}
