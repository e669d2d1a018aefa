import { describe, expect, it } from "vitest";
import { copyAll, copyForTransfer, packError, reviveError, reviveMatrix } from "../../../src/engine/worker/wire.js";
import { BonmfError, DataError, OptionError } from "../../../src/errors.js";
import { Sparse } from "../../../src/matrix/sparse.js";
import { blobRows, dense, randomRows } from "../../synthetic.js";

const X = dense(blobRows(1, 30, 9, 7), "f32");
const sparse = Sparse.fromDense(dense(randomRows(2, 30, 12, 0.6), "f64"));

describe("messages", () => {
  it("copy only the part of the buffer that a view shows", () => {
    const transfer: ArrayBuffer[] = [];
    const whole = Float64Array.of(1, 2, 3, 4);
    const lent = copyForTransfer(whole.subarray(1, 3), transfer);
    expect([...lent]).toEqual([2, 3]);
    expect(transfer).toEqual([lent.buffer]);
    expect(lent.buffer.byteLength).toBe(16);
    expect(whole.length).toBe(4);
  });

  it.each([X.slice(0, 20), sparse.slice(5, 30)])("carry a matrix with its class", (matrix) => {
    expect(reviveMatrix(structuredClone(copyAll(matrix, [])))).toEqual(matrix);
  });

  it.each([
    new OptionError("k", 3, "k is 3"),
    new DataError("range", "too large", { sample: 3 }),
    new BonmfError("aborted", "was aborted"),
    new RangeError("out of memory"),
  ])("an error keeps its kind: %s", (error) => {
    const back = reviveError(structuredClone(packError(error)));
    const { name, message, code } = error as BonmfError;
    expect(back).toMatchObject(code === undefined ? { name, message } : { name, message, code });
    expect(back instanceof OptionError).toBe(error instanceof OptionError);
    expect(back instanceof DataError).toBe(error instanceof DataError);
    expect(back instanceof BonmfError).toBe(error instanceof BonmfError);
  });
});
