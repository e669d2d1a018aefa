// Protocol Buffers as tables: a message is an object of numbered fields, and its type follows from them. Fields that are
// absent are undefined; fields that the table does not know are skipped.
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { SparkError } from "./error.js";

/** How one value is written after its tag. */
export interface Kind<T> {
  readonly wire: WireType;
  write(writer: BinaryWriter, value: T): void;
  read(reader: BinaryReader): T;
}

export interface Field<T> {
  readonly number: number;
  readonly wire: WireType;
  write(writer: BinaryWriter, value: T): void;
  read(reader: BinaryReader, before: T | undefined): T;
}

type Fields = Readonly<Record<string, Field<unknown>>>;

/** What a message of these fields holds. */
export type ValueOf<F extends Fields> = { [K in keyof F]?: (F[K] extends Field<infer T> ? T : never) | undefined };

/** The value of a message table. */
export type Of<M> = M extends Message<infer T> ? T : never;

export interface Message<T> extends Kind<T> {
  encode(value: T): Uint8Array;
  decode(bytes: Uint8Array): T;
}

export const string: Kind<string> = {
  wire: WireType.LengthDelimited,
  write: (writer, value) => writer.string(value),
  read: (reader) => reader.string(),
};

export const bytes: Kind<Uint8Array> = {
  wire: WireType.LengthDelimited,
  write: (writer, value) => writer.bytes(value),
  read: (reader) => reader.bytes(),
};

export const bool: Kind<boolean> = {
  wire: WireType.Varint,
  write: (writer, value) => writer.bool(value),
  read: (reader) => reader.bool(),
};

/** Also enums. */
export const int32: Kind<number> = {
  wire: WireType.Varint,
  write: (writer, value) => writer.int32(value),
  read: (reader) => reader.int32(),
};

export const int64: Kind<bigint> = {
  wire: WireType.Varint,
  write: (writer, value) => writer.int64(value),
  read: (reader) => BigInt(reader.int64()),
};

export const double: Kind<number> = {
  wire: WireType.Bit64,
  write: (writer, value) => writer.double(value),
  read: (reader) => reader.double(),
};

export function one<T>(number: number, kind: Kind<T>): Field<T> {
  return {
    number,
    wire: kind.wire,
    write: (writer, value) => kind.write(writer.tag(number, kind.wire), value),
    read: (reader) => kind.read(reader),
  };
}

/** Repeated strings, bytes or messages; numbers would come packed, which this does not read. */
export function many<T>(number: number, kind: Kind<T>): Field<T[]> {
  const item = one(number, kind);
  return {
    number,
    wire: kind.wire,
    write: (writer, values) => {
      for (const value of values) item.write(writer, value);
    },
    read: (reader, before = []) => {
      before.push(kind.read(reader));
      return before;
    },
  };
}

/** A message that contains itself. */
export function lazy<T>(kind: () => Kind<T>): Kind<T> {
  return {
    wire: WireType.LengthDelimited,
    write: (writer, value) => kind().write(writer, value),
    read: (reader) => kind().read(reader),
  };
}

export function message<F extends Fields>(fields: F): Message<ValueOf<F>> {
  const known = new Map(Object.entries(fields).map(([name, field]) => [field.number, { name, field }]));

  function writeAll(writer: BinaryWriter, value: Readonly<Record<string, unknown>>): BinaryWriter {
    for (const { name, field } of known.values()) if (value[name] !== undefined) field.write(writer, value[name]);
    return writer;
  }

  function readAll(reader: BinaryReader, end: number): ValueOf<F> {
    const value: Record<string, unknown> = Object.create(null);
    while (reader.pos < end) {
      const [number, wire] = reader.tag();
      const entry = known.get(number);
      // A field of another wire type is one that is not known.
      if (entry?.field.wire !== wire) reader.skip(wire, number);
      else value[entry.name] = entry.field.read(reader, value[entry.name]);
    }
    if (reader.pos !== end) throw new RangeError("a field ends after its message");
    return value as ValueOf<F>;
  }

  return {
    wire: WireType.LengthDelimited,
    write: (writer, value) => writeAll(writer.fork(), value).join(),
    read: (reader) => readAll(reader, reader.uint32() + reader.pos),
    encode: (value) => writeAll(new BinaryWriter(), value).finish(),
    decode: (encoded) => {
      try {
        return readAll(new BinaryReader(encoded), encoded.length);
      } catch (cause) {
        throw new SparkError(
          "protocol",
          `the server sent a damaged message: ${(cause as Error).message}`,
          {},
          { cause },
        );
      }
    },
  };
}
