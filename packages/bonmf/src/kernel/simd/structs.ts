import { STRUCTS } from "../module.js";
import type { Region } from "../region.js";

/** Structs of the AssemblyScript sources in linear memory; scripts/kernel-types.js derives their fields and offsets. */
export type StructName = keyof typeof STRUCTS;
export type StructField<S extends StructName> = keyof (typeof STRUCTS)[S]["fields"];
/** A value for every field. */
export type Struct<S extends StructName> = Record<StructField<S>, number>;

export function structBytes(name: StructName): number {
  return STRUCTS[name].bytes;
}

/** Where a field begins, in bytes from the beginning of the struct. */
export function fieldOffset<S extends StructName>(name: S, field: StructField<S>): number {
  return (STRUCTS[name] as Described).fields[field as string][1];
}

/** Writes some fields of the struct at an address, which is a multiple of 8. */
export function writeStruct<S extends StructName>(
  region: Region,
  name: S,
  at: number,
  values: Partial<Struct<S>>,
): void {
  const { bytes, fields } = STRUCTS[name] as Described;
  const words = region.u32(at, bytes >> 2);
  const doubles = region.f64(at, bytes >> 3);
  for (const field in values) {
    const [type, offset] = fields[field];
    if (type === "f64") doubles[offset >> 3] = values[field as StructField<S>]!;
    else words[offset >> 2] = values[field as StructField<S>]!;
  }
}

/** Reads fields of the struct at an address. */
export function readStruct<S extends StructName, F extends StructField<S>>(
  region: Region,
  name: S,
  at: number,
  names: readonly F[],
): Record<F, number> {
  const { bytes, fields } = STRUCTS[name] as Described;
  const words = region.u32(at, bytes >> 2);
  const doubles = region.f64(at, bytes >> 3);
  const read = {} as Record<F, number>;
  for (const field of names) {
    const [type, offset] = fields[field as string];
    read[field] = type === "f64" ? doubles[offset >> 3] : words[offset >> 2];
  }
  return read;
}

interface Described {
  readonly bytes: number;
  readonly fields: Readonly<Record<string, readonly [type: "u32" | "f32" | "f64", offset: number]>>;
}
