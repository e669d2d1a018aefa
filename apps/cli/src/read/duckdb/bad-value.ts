/** A value that cannot be used. The line of its row is looked up later, see row-place. */
export class BadValue extends Error {
  constructor(
    /** From 0, over all files. */
    readonly row: number,
    readonly column: string,
    readonly fault: "missing" | "infinite" | "weight",
    readonly value: number | null,
  ) {
    super(fault);
  }
}
