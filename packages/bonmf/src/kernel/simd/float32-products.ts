import { CHUNK, RUN } from "../plain/products.js";
import { fillPanels, type Narrow, type Pack, TINY } from "../prepared-prototypes.js";
import type { Placed } from "../region.js";

/** Columns of a panel: three vectors of four. */
const WIDTH = 12;

/** Addresses, for up to k prototypes. */
interface Room {
  readonly k: number;
  /** Powers of two for scores and codes. */
  readonly scores: number;
  readonly codes: number;
  /** W packed into panels. */
  readonly W: number;
  readonly out: number;
  readonly shares: number;
  /** Dense: samples on their way. Sparse: m × k, the sums of a run. */
  readonly T: number;
  /** Sparse: which features a run has. */
  readonly slots: number;
}

const even = (k: number) => 2 * Math.ceil(k / 2);
const fourfold = (k: number) => 4 * Math.ceil(k / 4);

/** How many numbers the sums of a block take. */
export function countSums(k: number, m: number, sparse: boolean): number {
  return sparse ? m * fourfold(k) : even(k) * fourfold(m);
}

/** Products in 32 bits, in WebAssembly, where the samples lie: the part of `simdProducts` for such steps. */
export function narrowProducts(placed: Placed) {
  const { region, features: m, samples, sparse } = placed;
  const { kernel } = region;
  const chunk = Math.min(CHUNK, samples);
  let room: Room | null = null;
  let k = 0;
  let panels = 0;
  let narrow: Narrow | null = null;

  const makeRoom = (k: number): Room => {
    const of = (bytes: number) => region.reserve(bytes);
    const panels = Math.ceil(k / WIDTH);
    return {
      k,
      scores: of(8 * even(k)),
      codes: of(8 * even(k)),
      W: of(4 * WIDTH * panels * m),
      out: of(4 * WIDTH * panels * chunk),
      shares: of(4 * fourfold(k) * RUN),
      T: of(sparse ? 4 * fourfold(k) * m : 192 * RUN),
      slots: of(sparse ? 12 * m : 0),
    };
  };

  return {
    begin(pack: Pack): void {
      const { rows } = pack;
      narrow = pack.narrow!;
      k = narrow.scores.length;
      panels = Math.ceil(k / WIDTH);
      if (room === null || room.k < k) room = makeRoom(k);
      region.f64(room.scores, k).set(narrow.scores);
      region.f64(room.codes, even(k)).fill(0).set(narrow.codes);
      fillPanels(rows, k, WIDTH, region.f32(room.W, WIDTH * panels * m));
      if (!sparse) return;
      // What another k left there would be summed too.
      region.f32(room.shares, fourfold(k) * RUN).fill(0);
    },

    /** @param to OUT count × k in 64 bits */
    dots(X: number, count: number, to: number): void {
      const { W, out, scores } = room!;
      if (sparse) kernel.dotNarrowSparse32(X, placed.indices, placed.values, count, W, panels, 4 * WIDTH * m, out);
      else kernel.dotNarrowDense32(X, m, count, W, panels, out);
      kernel.widen(out, 4 * WIDTH * panels, count, scores, k, to);
    },

    /** @param given IN count × k in 64 bits @param S IN/OUT `countSums` numbers */
    add(X: number, count: number, given: number, S: number): void {
      const { codes, shares, T, slots } = room!;
      const wide = fourfold(k);
      for (let at = 0; at < count; at += RUN) {
        const run = Math.min(RUN, count - at);
        const [each, apart] = sparse ? [4 * wide, 8] : [8, 8 * run];
        kernel.narrow(given + 8 * k * at, k, run, codes, TINY, shares, each, apart);
        const first = X + at * (sparse ? 4 : 4 * m);
        if (sparse)
          kernel.shareNarrowSparse32(first, placed.indices, placed.values, m, run, shares, wide / 4, T, slots, S);
        else kernel.shareNarrowDense32(first, m, run, shares, k, S, 8 * fourfold(m), T);
      }
    },

    /** @param to OUT k × m */
    finish(S: number, to: Float64Array): void {
      const sums = region.f64(S, countSums(k, m, sparse));
      const scales = narrow!.codes.map((scale) => 1 / scale);
      const wide = fourfold(sparse ? k : m);
      if (sparse) {
        for (let f = 0, row = 0; f < m; f++, row += wide) {
          for (let j = 0; j < k; j++) to[j * m + f] = sums[row + j] * scales[j];
        }
        return;
      }
      for (let j = 0; j < k; j++) {
        const scale = scales[j];
        for (let q = j * m, end = q + m, p = j * wide; q < end; q++, p++) to[q] = sums[p] * scale;
      }
    },
  };
}
