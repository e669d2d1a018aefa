/** A value that cannot be used; where its row stands in the file is found out later. */
export class Cell extends Error {
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
