import type { Region } from "../region.js";
import type { Codes } from "../step.js";

/** Numbers of a row: a multiple of four. */
export const rowOf = (k: number) => 4 * Math.ceil(k / 4);

/** Real codes of 32 bits that stay in the kernels' memory between sweeps, in units of their own. Others see numbers of 64 bits. */
export class StoredCodes implements Codes {
  readonly form = "real";
  readonly labels = null;
  readonly k: number;
  /** The address of n rows. */
  readonly at: number;
  readonly bytes: number;
  readonly #region: Region;
  readonly #samples: number;
  #units: Float64Array = new Float64Array(0);
  #values: Float64Array | null = null;

  constructor(region: Region, samples: number, k: number, room: { readonly at: number; readonly bytes: number }) {
    this.k = k;
    this.at = room.at;
    this.bytes = room.bytes;
    this.#region = region;
    this.#samples = samples;
  }

  /** Powers of two: what the codes are multiplied by here. */
  get units(): Float64Array {
    return this.#units;
  }

  /** All codes will be written, in these units. */
  begin(units: Float64Array): void {
    this.#units = units;
    this.#values = null;
  }

  addressOf(i: number): number {
    return this.at + 4 * rowOf(this.k) * i;
  }

  /** A copy, which is kept until the codes are written again. */
  get values(): Float64Array {
    this.#values ??= this.read();
    return this.#values;
  }

  read(): Float64Array {
    const { k } = this;
    const wide = rowOf(k);
    const rows = this.#region.f32(this.at, this.#samples * wide);
    const inverse = Float64Array.from(this.#units, (unit) => 1 / unit);
    const out = new Float64Array(this.#samples * k);
    for (let p = 0, base = 0; p < out.length; p += k, base += wide) {
      for (let r = 0; r < k; r++) out[p + r] = rows[base + r] * inverse[r];
    }
    return out;
  }
}
