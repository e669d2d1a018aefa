import { type Fields, readStructure } from "./thrift.js";

/** What stands before each page of a Parquet file. */
export interface Header {
  readonly kind: "data" | "dictionary" | "other";
  /** Bytes of the page unpacked, and in the file. */
  readonly size: number;
  readonly packed: number;
  readonly values: number;
  readonly encoding: number;
  /** Bytes of levels that stand before the values and are never packed; null where they are part of the page. */
  readonly levels: { readonly repetition: number; readonly definition: number } | null;
  /** Whether the values are packed at all. */
  readonly isPacked: boolean;
  /** Its own bytes. */
  readonly length: number;
}

/** Throws a RangeError where the header goes on beyond the bytes given. */
export function parseHeader(bytes: Uint8Array): Header {
  const { fields, end } = readStructure(bytes);
  const [first, dictionary, second] = [fields[5], fields[7], fields[8]] as (Fields | undefined)[];
  const body = first ?? dictionary ?? second ?? [];
  return {
    kind: first || second ? "data" : dictionary ? "dictionary" : "other",
    size: Number(fields[2]),
    packed: Number(fields[3]),
    values: Number(body[1]),
    encoding: Number(body[second ? 4 : 2]),
    levels: second ? { repetition: Number(second[6]), definition: Number(second[5]) } : null,
    isPacked: second?.[7] !== false,
    length: end,
  };
}
