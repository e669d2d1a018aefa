import { CHUNK, type Products } from "../plain/products.js";
import { fillPanels } from "../prepared-prototypes.js";
import { kernelsFor, type Placed } from "../region.js";
import { FORM, type Step } from "../step.js";
import { countSums, narrowProducts } from "./float32-products.js";
import { PackedPrototypes } from "./packed-prototypes.js";

/** Columns of a panel: three vectors of two. */
const WIDTH = 6;

/** Addresses, for up to k prototypes. */
interface Room {
  readonly k: number;
  /** W: as rows, or packed into panels. */
  readonly W: number;
  readonly out: number;
  readonly shares: number;
  readonly H: number;
  /** The gram matrix, packed into panels. */
  readonly gram: number;
  /** The gram matrix as it is, and room to solve by it. */
  readonly square: number;
  readonly solve: number;
  /** The gram matrix times columns. */
  readonly below: number;
  readonly HHt: number;
  readonly labels: number;
  readonly ids: number;
  readonly best: number;
  readonly second: number;
  /** The sums of a block so far: m × k, or as kernel/simd/float32-products has them. */
  readonly S: number;
}

/** With a panel. */
type Product = (panel: number, at: number) => void;

/** Products in WebAssembly, where the samples lie. */
export function simdProducts(placed: Placed): Products {
  const { region, features: m, samples, sparse } = placed;
  const kernel = kernelsFor(placed);
  /** Those of dense codes. */
  const wide = kernelsFor({ region, precision: "f64" });
  const size = placed.precision === "f64" ? 8 : 4;
  /** Where sample i's values begin, or its offset. */
  const addressOf = (i: number) => placed.X + i * (sparse ? 4 : size * m);
  const narrow = narrowProducts(placed);
  let isNarrow = false;
  let room: Room | null = null;
  let prototypes: PackedPrototypes | null = null;
  let k = 0;
  let step: Step | null = null;
  let summing = false;

  const makeRoom = (k: number): Room => {
    const of = (bytes: number) => region.reserve(bytes);
    const chunk = Math.min(CHUNK, samples);
    return {
      k,
      W: of(8 * WIDTH * Math.ceil(k / WIDTH) * m),
      // The last sample's last panel may reach beyond its k results.
      out: of(8 * (chunk * Math.max(1, k) + WIDTH)),
      shares: of(8 * chunk * k),
      H: of(8 * (chunk * k + WIDTH)),
      gram: of(8 * WIDTH * Math.ceil(k / WIDTH) * k),
      square: of(8 * (k * k + 8)),
      solve: of(8 * (k * k + 16 * (k + 8))),
      below: of(8 * (chunk * Math.max(1, k) + WIDTH)),
      HHt: of(8 * k * k),
      labels: of(4 * chunk),
      ids: of(4 * chunk),
      best: of(8 * chunk),
      second: of(8 * chunk),
      S: of(8 * Math.max(k * m, countSums(k, m, sparse))),
    };
  };

  /** Puts k rows of `length` in place as panels. */
  const packRows = (rows: Float64Array, length: number, at: number) =>
    fillPanels(rows, k, WIDTH, region.f64(at, WIDTH * Math.ceil(k / WIDTH) * length));

  /**
   * Runs a kernel for every panel of k columns, from the last to the first, whose results come after what the last one
   * leaves in the next sample's place.
   */
  const multiply = (panels: number, length: number, out: number, product: Product) => {
    for (let p = Math.ceil(k / WIDTH) - 1; p >= 0; p--) {
      product(panels + 8 * WIDTH * p * length, out + 8 * WIDTH * p);
    }
  };
  /** The same of sparse samples, two panels at a time. */
  const dotSparse = (X: number, count: number) => {
    const { indices, values } = placed;
    const { W, out } = room!;
    const apart = 8 * WIDTH * m;
    let p = Math.ceil(k / WIDTH);
    if (p % 2 === 1) kernel.dotSparse(X, indices, values, count, W + --p * apart, out + 8 * WIDTH * p, 8 * k);
    while (p > 0) {
      p -= 2;
      kernel.dotTwoSparse(X, indices, values, count, W + p * apart, apart, out + 8 * WIDTH * p, 8 * k);
    }
  };
  /** `count` columns of k numbers times the gram matrix. */
  const multiplyGram = (codes: number, count: number, out: number) =>
    multiply(room!.gram, k, out, (panel, at) => wide.dotDense(codes, k, count, panel, at, 8 * k));

  /** The arrays that lie in `H` and `shares`. */
  let [inH, inShares]: (Float64Array | null)[] = [null, null];
  const putBefore = (before: Float64Array | null, length: number) => {
    const H = region.f64(room!.H, length);
    if (before === null) H.fill(0);
    else H.set(before);
  };
  const putH = (H: Float64Array) => {
    if (inH !== H) region.f64(room!.H, H.length).set(H);
    inH = H;
  };
  /** Where the shares of a chunk lie. */
  const putShares = (given: Float64Array): number => {
    if (given === inH) return room!.H;
    if (given !== inShares) region.f64(room!.shares, given.length).set(given);
    inShares = given;
    return room!.shares;
  };

  return {
    begin(given, pack) {
      step = given;
      k = step.k;
      summing = false;
      if (room === null || room.k < k) room = makeRoom(k);
      const form = FORM[step.rule];
      inH = inShares = null;
      isNarrow = pack?.narrow !== undefined;
      if (isNarrow) narrow.begin(pack!);
      if (step.gram) packRows(step.gram, k, room.gram);
      if (step.rule === "nnls" || step.rule === "cyclic") region.f64(room.square, k * k).set(step.gram!);
      if (isNarrow) return;
      if (form === "real" || step.rule === "probe") packRows(step.W, m, room.W);
      else if (form === "rays" || step.rule === "race") region.f64(room.W, k * m).set(step.W);
      if (form === "real" || form === null) return;
      if (prototypes?.k !== k) prototypes = new PackedPrototypes(placed, k);
      prototypes.load(step);
    },

    dots(from, to) {
      const { W, out } = room!;
      const X = addressOf(from);
      const count = to - from;
      if (isNarrow) narrow.dots(X, count, out);
      else if (sparse) dotSparse(X, count);
      else multiply(W, m, out, (panel, at) => kernel.dotDense(X, m, count, panel, at, 8 * k));
      return region.f64(out, count * k);
    },

    renew(before, given) {
      const { rule, alpha = 0, floor = Number.NEGATIVE_INFINITY, round } = step!;
      const { H, out, below, square, solve } = room!;
      const count = given.length / k;
      if ((rule === "linear" || rule === "probe") && step!.gram && !round) {
        multiplyGram(out, count, H);
        region.kernel.raise(H, given.length, floor);
      } else if (rule === "multiply" || rule === "root") {
        putBefore(before, given.length);
        multiplyGram(H, count, below);
        region.kernel.multiplyCodes(H, out, below, given.length, alpha, rule === "root" ? 1 : 0);
      } else if (rule === "cyclic") {
        putBefore(before, given.length);
        region.kernel.cycleCodes(H, out, square, k, count, solve);
      } else if (rule === "nnls") region.kernel.solveAll(square, k, count, out, H, solve);
      else return false;
      given.set(region.f64(H, given.length));
      inH = given;
      return true;
    },

    own(from, to, labels) {
      const { W, out, labels: at } = room!;
      const X = addressOf(from);
      region.u32(at, labels.length).set(labels);
      if (sparse) kernel.ownSparse(X, placed.indices, placed.values, m, to - from, W, at, out);
      else kernel.ownDense(X, m, to - from, W, at, out);
      return region.f64(out, to - from);
    },

    draws(seed, stream, first, count) {
      const { out } = room!;
      region.kernel.draw(seed, Math.floor(seed / 2 ** 32), stream, first, count, out);
      return region.f64(out, count);
    },

    labels(from, to) {
      const { ids, best, second, labels } = room!;
      const count = to - from;
      const list = region.u32(ids, count);
      for (let s = 0; s < count; s++) list[s] = from + s;
      kernel.clear(best, second, labels, count);
      prototypes!.aim();
      for (let g = 0; g < prototypes!.groups; g++) prototypes!.score(g, ids, count, best, second, labels);
      return region.u32(labels, count);
    },

    add(from, to, given) {
      const { S } = room!;
      const X = addressOf(from);
      const shares = putShares(given);
      if (!summing) region.f64(S, isNarrow ? countSums(k, m, sparse) : k * m).fill(0);
      summing = true;
      if (isNarrow) narrow.add(X, to - from, shares, S);
      else if (sparse) kernel.shareSparse(X, placed.indices, placed.values, to - from, shares, k, S);
      else kernel.shareDense(X, m, to - from, shares, k, S);
    },

    addCodes(given, givenShares, sums) {
      const { H, HHt } = room!;
      putH(given);
      region.f64(HHt, k * k).set(sums);
      region.kernel.shareDense64(putShares(givenShares), k, given.length / k, H, k, HHt);
      sums.set(region.f64(HHt, k * k));
    },

    finish(sums) {
      if (!summing) return;
      if (isNarrow) narrow.finish(room!.S, sums);
      else transpose(region.f64(room!.S, k * m), m, sums);
      summing = false;
    },
  };
}

/** @param from IN n rows of any length @param to OUT its transpose */
function transpose(from: Float64Array, n: number, to: Float64Array): void {
  const length = from.length / n;
  for (let i = 0, p = 0; i < n; i++) for (let j = 0; j < length; j++) to[j * n + i] = from[p++];
}
