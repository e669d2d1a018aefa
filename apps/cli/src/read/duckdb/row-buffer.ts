import { allocateDense, Dense } from "bonmf";

/** A dense matrix that grows by rows of m values. */
export class RowBuffer {
  count = 0;
  readonly #m: number;
  readonly #allocate: (rows: number) => Float32Array;
  #data: Float32Array;

  /**
   * @param capacity rows to make room for
   * @param whole whether this is all there is: then it lies where a fit takes no copy
   * @param room to be used instead, if there is some already
   */
  constructor(m: number, capacity: number, whole: boolean, room?: Dense | null) {
    this.#m = m;
    this.#allocate = (rows) => (whole ? allocateDense(rows, m) : Dense.zeros(rows, m)).data as Float32Array;
    this.#data = room ? (room.data as Float32Array) : this.#allocate(capacity);
  }

  /** The place of so many new rows, to be written. */
  append(rows: number): Float32Array {
    const m = this.#m;
    const start = this.count * m;
    const end = start + rows * m;
    if (end > this.#data.length) {
      const data = this.#allocate(Math.ceil(Math.max(end, this.#data.length * 1.5) / m));
      data.set(this.#data.subarray(0, start));
      this.#data = data;
    }
    this.count += rows;
    return this.#data.subarray(start, end);
  }

  /** Takes the last rows away again. */
  drop(rows: number): void {
    this.count -= rows;
  }

  toDense(): Dense {
    return new Dense(this.count, this.#m, this.#data.subarray(0, this.count * this.#m));
  }
}
