/** A structure in Thrift's compact protocol: its fields by their numbers; texts as bytes. */
export type Fields = readonly Value[];
export type Value = number | boolean | Uint8Array | Value[] | undefined;

/** Reads the structure that begins at `at`, and says where it ends; a RangeError where that is beyond the bytes. */
export function readStructure(bytes: Uint8Array, at = 0): { fields: Fields; end: number } {
  const reader = new Reader(bytes, at);
  const fields = reader.readFields();
  return { fields, end: reader.at };
}

class Reader {
  at: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  readFields(): Value[] {
    const fields: Value[] = [];
    for (let id = 0; ; ) {
      const head = this.#readByte();
      if (head === 0) return fields;
      id = head >> 4 === 0 ? this.#readSigned() : id + (head >> 4);
      if (!(id >= 0 && id < 1000)) throw new Error(`a structure has a field of number ${id}`);
      const type = head & 15;
      fields[id] = type < 3 ? type === 1 : this.#readValue(type);
    }
  }

  #readValue(type: number): Value {
    switch (type) {
      case 1:
      case 2:
        return this.#readByte() === 1;
      case 3:
        return this.#readByte();
      case 4:
      case 5:
      case 6:
        return this.#readSigned();
      case 7:
        return this.#readBytes(8);
      case 8:
        return this.#readBytes(this.#readVarint());
      case 9:
      case 10:
        return this.#readList();
      case 12:
        return this.readFields();
    }
    throw new Error(`a structure has a field of type ${type}`);
  }

  #readList(): Value[] {
    const head = this.#readByte();
    const count = head >> 4 === 15 ? this.#readVarint() : head >> 4;
    if (count > this.#bytes.length) throw new RangeError("a list is longer than all bytes");
    const list: Value[] = [];
    for (let i = 0; i < count; i++) list.push(this.#readValue(head & 15));
    return list;
  }

  #readBytes(length: number): Uint8Array {
    if (this.at + length > this.#bytes.length) throw new RangeError("the bytes end early");
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  #readByte(): number {
    if (this.at >= this.#bytes.length) throw new RangeError("the bytes end early");
    return this.#bytes[this.at++];
  }

  #readVarint(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 64; scale *= 128) {
      const byte = this.#readByte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new Error("a number has no end");
  }

  #readSigned(): number {
    const value = this.#readVarint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
