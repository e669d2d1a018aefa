import { gramInUnits, listUnits, SETTLED } from "../plain/cycle.js";
import type { Products } from "../plain/products.js";
import { lower } from "../plain/rules.js";
import { fillPanels, type PreparedPrototypes } from "../prepared-prototypes.js";
import { kernelsFor, type Placed, type PrecisionKernels } from "../region.js";
import { type Codes, FORM, type Labels, type Step } from "../step.js";
import type { Sums } from "../sums.js";
import { DividedCodes } from "./divided-codes.js";
import { countSums } from "./float32-products.js";
import { Float32Steps } from "./float32-steps.js";
import { KnownCodes } from "./known-codes.js";
import { PackedPrototypes } from "./packed-prototypes.js";
import { type ProductBuffers, reserveBuffers, WIDTH } from "./product-buffers.js";
import { StoredCodes } from "./stored-codes.js";

/** Products in WebAssembly, where the samples are. */
export class SimdProducts implements Products {
  readonly #placed: Placed;
  readonly #kernel: PrecisionKernels;
  /** The kernels for codes, which have 64 bits. */
  readonly #kernel64: PrecisionKernels;
  readonly #steps32: Float32Steps;
  readonly #divided: DividedCodes;
  /** Null where samples have no gaps. */
  readonly #known: KnownCodes | null;
  /** Whether the step's products are summed in 32 bits. */
  #in32Bits = false;
  /** Whether products with errors are rounded one by one. */
  #byTerm = false;
  #reserved: ProductBuffers | null = null;
  #prototypes: PackedPrototypes | null = null;
  #step: Step | null = null;
  #k = 0;
  /** Whether S has sums of this block. */
  #summing = false;
  /** The first sample of the last `dots`. */
  #first = 0;
  /** The arrays that were last copied to `H` and `shares`. */
  #inH: Float64Array | null = null;
  #inShares: Float64Array | null = null;

  constructor(placed: Placed) {
    this.#placed = placed;
    this.#kernel = kernelsFor(placed);
    this.#kernel64 = kernelsFor({ region: placed.region, precision: "f64" });
    this.#steps32 = new Float32Steps(placed);
    this.#divided = new DividedCodes(placed);
    this.#known = placed.gaps ? new KnownCodes(placed, placed.gaps) : null;
  }

  begin(step: Step, prepared: PreparedPrototypes | null): void {
    const { region, features: m } = this.#placed;
    const { rule, k, W, gram } = step;
    const form = FORM[rule];
    this.#step = step;
    this.#k = k;
    this.#summing = false;
    this.#inH = this.#inShares = null;
    if (this.#reserved === null || this.#reserved.k < k) this.#reserved = reserveBuffers(this.#placed, k);
    const buffers = this.#reserved;
    this.#in32Bits = prepared?.float32 !== undefined;
    this.#steps32.begin(step, prepared);
    this.#byTerm = prepared?.float32?.byTerm === true;
    if (rule === "divide") {
      this.#divided.begin(step);
      return;
    }
    const units = rule === "cyclic" ? prepared?.float32 : undefined;
    this.#known?.begin(step, units);
    if (gram) this.#packRows(gram, k, buffers.gram);
    if (units) {
      region.f32(buffers.square, k * k).set(gramInUnits(gram!, units));
      region.f64(buffers.units, 3 * k).set(listUnits(units));
    } else if (rule === "nnls" || rule === "cyclic" || rule === "binary") region.f64(buffers.square, k * k).set(gram!);
    if (rule === "softmax") region.f64(buffers.bias, k).set(step.bias!);
    if (this.#in32Bits) return;
    const ranking = rule === "hold" && gram !== undefined;
    if (form === "real" || rule === "probe" || ranking || (rule === "softmax" && k > 1)) {
      this.#packRows(W, m, buffers.W);
    } else if (form === "rays" || rule === "race" || rule === "softmax") region.f64(buffers.W, k * m).set(W);
    if (form === "real" || form === null) return;
    if (this.#prototypes?.k !== k) this.#prototypes = new PackedPrototypes(this.#placed, k);
    this.#prototypes.load(step);
  }

  dots(from: number, to: number): Float64Array {
    const { region, features: m, sparse } = this.#placed;
    const { W, out } = this.#buffers;
    const X = this.#addressOf(from);
    const count = to - from;
    this.#first = from;
    if (this.#in32Bits) this.#steps32.products.dots(X, count, out);
    else if (sparse) this.#dotSparse(X, count);
    else this.#multiply(this.#kernel, X, m, count, W, out);
    return region.f64(out, count * this.#k);
  }

  renew(before: Float64Array | null, given: Float64Array): boolean {
    const { region } = this.#placed;
    const { kernel } = region;
    const {
      rule,
      gram,
      alpha = 0,
      l1 = 0,
      floor = Number.NEGATIVE_INFINITY,
      round,
      sweeps = 1,
      beyond = 0,
    } = this.#step!;
    const { H, out, below, square, solve } = this.#buffers;
    const k = this.#k;
    const count = given.length / k;
    const known = this.#known?.renews ? this.#known : null;
    if (known !== null && !known.fits) return false;
    if (this.#steps32.renews) this.#steps32.renew(before, count, H);
    else if ((rule === "linear" || rule === "probe") && !round) {
      if (gram) this.#multiplyGram(out, count, H);
      kernel.raise(gram ? H : out, given.length, floor, H);
    } else if (rule === "multiply" || rule === "root") {
      this.#putBefore(before, given.length);
      this.#multiplyGram(H, count, below);
      known?.correct(this.#first, count, H, below);
      if (rule === "multiply") lower(region.f64(below, given.length), -l1);
      kernel.multiplyCodes(H, out, below, given.length, alpha, rule === "root" ? 1 : 0);
      if (known !== null) kernel.raise(H, given.length, 0, H);
    } else if (rule === "cyclic") {
      this.#putBefore(before, given.length);
      lower(region.f64(out, given.length), l1);
      const cycle = this.#in32Bits ? kernel.cycleCodes32 : kernel.cycleCodes64;
      const cycleComplete = (ids: number, complete: number) =>
        cycle(H, out, ids, square, k, complete, sweeps, SETTLED, beyond, this.#buffers.units, solve);
      if (known !== null)
        known.cycle(this.#first, count, out, H, this.#in32Bits ? this.#buffers.units : 0, cycleComplete);
      else cycleComplete(0, count);
    } else if (rule === "binary" && known !== null) {
      this.#putBefore(before, given.length);
      known.cycle(this.#first, count, out, H, 0, () => {});
    } else if (rule === "nnls") {
      lower(region.f64(out, given.length), l1);
      if (known !== null) known.solve(this.#first, count, out, H, solve);
      else kernel.solveAll(square, k, count, out, H, solve);
    } else return false;
    given.set(region.f64(H, given.length));
    this.#inH = given;
    return true;
  }

  refine(before: Codes | null, next: Codes | null, from: number, to: number): number | null {
    if (!(next instanceof StoredCodes)) return null;
    const S = this.#step!.codesOnly ? 0 : this.#startSums();
    return this.#steps32.refine(this.#addressOf(from), S, before, next, from, to);
  }

  /** See `Float32Steps`. */
  storeCodes(taken: Codes | null): StoredCodes | null {
    return this.#steps32.storeCodes(taken);
  }

  errors(from: number, to: number, classes: Labels): Float64Array {
    const { region, sparse, features: m, indices, values } = this.#placed;
    const { W, out, best: totals, second: lags, bias, labels } = this.#buffers;
    const count = to - from;
    const k = this.#k;
    const own = region.u32(labels, count);
    if (k > 1) this.dots(from, to);
    else {
      // A panel would multiply by six columns.
      own.fill(0);
      if (sparse) this.#kernel.ownSparse(this.#addressOf(from), indices, values, m, count, W, labels, out);
      else this.#kernel.ownDense(this.#addressOf(from), m, count, W, labels, out);
    }
    own.set(classes);
    region.kernel.findErrors(out, k, count, bias, labels, totals, lags);
    return region.f64(out, count * k);
  }

  addErrors(from: number, to: number, classes: Labels, weights: Float64Array | null, sums: Sums): void {
    const { region } = this.#placed;
    const { out, best: totals, second: lags, weights: ownWeights, errorSums } = this.#buffers;
    this.errors(from, to, classes);
    if (weights !== null) region.f64(ownWeights, weights.length).set(weights);
    const found = region.f64(errorSums, 2 + this.#k);
    found[0] = sums.loss;
    found[1] = sums.factor;
    found.set(sums.HHt, 2);
    region.kernel.sumErrors(out, this.#k, to - from, totals, lags, weights === null ? 0 : ownWeights, errorSums);
    [sums.loss, sums.factor] = found;
    sums.HHt.set(found.subarray(2));
    sums.weight = weights === null ? sums.weight + to - from : weights.reduce((sum, w) => sum + w, sums.weight);
    this.#addShares(from, to, out);
  }

  divide(
    from: number,
    to: number,
    before: Float64Array | null,
    H: Float64Array,
    weights: Float64Array | null,
    sums: Sums,
  ): void {
    this.#divided.divide(this.#addressOf(from), from, to - from, before, H, weights, sums);
  }

  own(from: number, to: number, labels: Uint32Array): Float64Array {
    const { region, features: m, sparse, indices, values } = this.#placed;
    const { W, out, labels: at } = this.#buffers;
    const X = this.#addressOf(from);
    region.u32(at, labels.length).set(labels);
    if (sparse) this.#kernel.ownSparse(X, indices, values, m, to - from, W, at, out);
    else this.#kernel.ownDense(X, m, to - from, W, at, out);
    return region.f64(out, to - from);
  }

  draws(seed: number, stream: number, first: number, count: number): Float64Array {
    const { region } = this.#placed;
    const { out } = this.#buffers;
    region.kernel.draw(seed, Math.floor(seed / 2 ** 32), stream, first, count, out);
    return region.f64(out, count);
  }

  labels(from: number, to: number): Uint32Array {
    const { region } = this.#placed;
    const { ids, best, second, labels } = this.#buffers;
    const prototypes = this.#prototypes!;
    const count = to - from;
    const list = region.u32(ids, count);
    for (let s = 0; s < count; s++) list[s] = from + s;
    this.#kernel.clear(best, second, labels, count);
    prototypes.aim();
    for (let g = 0; g < prototypes.groups; g++) prototypes.score(g, ids, count, best, second, labels);
    return region.u32(labels, count);
  }

  add(from: number, to: number, given: Float64Array): void {
    this.#addShares(from, to, this.#putShares(given));
  }

  /** @param shares the address of (to − from) × k numbers */
  #addShares(from: number, to: number, shares: number): void {
    const { features: m, sparse, indices, values } = this.#placed;
    const k = this.#k;
    const X = this.#addressOf(from);
    const S = this.#startSums();
    if (this.#byTerm) this.#steps32.products.addTerms(X, to - from, shares, S);
    else if (this.#in32Bits) this.#steps32.add(X, to - from, shares, S);
    else if (sparse) this.#kernel.shareSparse(X, indices, values, to - from, shares, k, S);
    else this.#kernel.shareDense(X, m, to - from, shares, k, S);
  }

  /** Where XHᵀ is summed. */
  #startSums(): number {
    const { region, features: m, sparse } = this.#placed;
    const { S } = this.#buffers;
    const k = this.#k;
    const inRuns = this.#in32Bits && !this.#byTerm;
    if (!this.#summing) region.f64(S, inRuns ? countSums(k, m, sparse) : k * m).fill(0);
    this.#summing = true;
    return S;
  }

  addCodes(given: Float64Array, givenShares: Float64Array, sums: Float64Array): void {
    const { region } = this.#placed;
    const { H, HHt } = this.#buffers;
    const k = this.#k;
    if (this.#inH !== given) region.f64(H, given.length).set(given);
    this.#inH = given;
    if (this.#steps32.sumsCodes) {
      this.#steps32.addCodes(H, this.#putShares(givenShares), given.length / k);
      return;
    }
    region.f64(HHt, k * k).set(sums);
    this.#kernel64.shareDense(this.#putShares(givenShares), k, given.length / k, H, k, HHt);
    sums.set(region.f64(HHt, k * k));
  }

  addListed(from: number, given: Float64Array, givenShares: Float64Array): void {
    const { region } = this.#placed;
    const { H } = this.#buffers;
    if (this.#inH !== given) region.f64(H, given.length).set(given);
    this.#inH = given;
    this.#known!.add(from, given.length / this.#k, H, this.#putShares(givenShares));
  }

  finish(sums: Sums, goesOn = false): void {
    const { XHt, HHt, known } = sums;
    this.#known?.finish(known);
    if (this.#step?.rule === "divide") this.#divided.finish(sums);
    this.#steps32.finishCodes(HHt);
    if (!this.#summing || goesOn) return;
    const { region, features: m } = this.#placed;
    if (this.#in32Bits && !this.#byTerm) this.#steps32.products.finish(this.#buffers.S, XHt);
    else transpose(region.f64(this.#buffers.S, this.#k * m), m, XHt);
    this.#summing = false;
  }

  get #buffers(): ProductBuffers {
    return this.#reserved!;
  }

  /** The address of sample i's values, or of its offset. */
  #addressOf(i: number): number {
    const { X, sparse, precision, features } = this.#placed;
    return X + i * (sparse ? 4 : (precision === "f64" ? 8 : 4) * features);
  }

  /** Packs k rows of `length` into panels. */
  #packRows(rows: Float64Array, length: number, at: number): void {
    const { region } = this.#placed;
    fillPanels(rows, this.#k, WIDTH, region.f64(at, WIDTH * Math.ceil(this.#k / WIDTH) * length));
  }

  /**
   * Dense rows of `length` times panels, from the last panel to the first: a panel writes beyond its sample's k results, and
   * the first panel of the next sample then overwrites that.
   */
  #multiply(kernel: PrecisionKernels, rows: number, length: number, count: number, panels: number, out: number): void {
    for (let p = Math.ceil(this.#k / WIDTH) - 1; p >= 0; p--) {
      kernel.dotDense(rows, length, count, panels + 8 * WIDTH * p * length, out + 8 * WIDTH * p, 8 * this.#k);
    }
  }

  /** The same of sparse samples. */
  #dotSparse(X: number, count: number): void {
    const { indices, values, features } = this.#placed;
    const { W, out } = this.#buffers;
    for (let p = Math.ceil(this.#k / WIDTH) - 1; p >= 0; p--) {
      const panel = W + 8 * WIDTH * p * features;
      this.#kernel.dotSparse(X, indices, values, count, panel, out + 8 * WIDTH * p, 8 * this.#k);
    }
  }

  /** `count` columns of k numbers times the gram matrix. */
  #multiplyGram(codes: number, count: number, out: number): void {
    this.#multiply(this.#kernel64, codes, this.#k, count, this.#buffers.gram, out);
  }

  #putBefore(before: Float64Array | null, length: number): void {
    const H = this.#placed.region.f64(this.#buffers.H, length);
    if (before === null) H.fill(0);
    else H.set(before);
  }

  /** The address of a chunk's shares. */
  #putShares(given: Float64Array): number {
    if (given === this.#inH) return this.#buffers.H;
    if (given !== this.#inShares) this.#placed.region.f64(this.#buffers.shares, given.length).set(given);
    this.#inShares = given;
    return this.#buffers.shares;
  }
}

/** @param from IN n rows of any length @param to OUT its transpose */
function transpose(from: Float64Array, n: number, to: Float64Array): void {
  const length = from.length / n;
  for (let i = 0, p = 0; i < n; i++) for (let j = 0; j < length; j++) to[j * n + i] = from[p++];
}
