import { Dense } from "../../matrix/dense.js";
import type { Matrix } from "../../matrix/matrix.js";
import { Sparse } from "../../matrix/sparse.js";
import { kernelsFor, type PrecisionKernels, type Region } from "../region.js";
import { countLeading, type FeatureOrder, orderFeatures } from "./feature-order.js";
import { countTiles, ROW, reserveScreen, reserveTiles, type ScreenStruct, WIDTH } from "./screen-struct.js";

/** Members of a cluster that its feature order is taken from. Others only make the screen let more members through. */
const SAMPLED = 128;
const NO_MEMBER = 0xffffffff;
/** The longest residual of a member, quantised, and the least length it may stand for: below it, sums have lost digits. */
const LONGEST = 2 ** 14;
const LEAST = 2 ** -6;

/** Members in a region's memory, in tiles. */
export interface MemberTiles extends ScreenStruct {
  /** The members as they were given. */
  readonly samples: Matrix;
}

/** The members of one region, while their tiles are built. */
interface Build {
  readonly region: Region;
  readonly struct: ScreenStruct;
  readonly k: number;
  /** Kernels of assembly/neighbors/member-tiles.ts in the members' precision. */
  readonly kernel: PrecisionKernels;
}

/**
 * Copies members into a region and builds their tiles: 16-bit residuals from the centres of their clusters, leading
 * features first.
 *
 * @param Z IN n × m
 * @param lengths IN n
 * @param ids IN n, members cluster by cluster
 * @param starts IN k + 1, where clusters begin in `ids`
 * @param table the address of 16 bytes for each member and 8,192 more, as working memory
 */
export function buildTiles(
  region: Region,
  Z: Matrix,
  lengths: Float64Array,
  ids: Uint32Array,
  starts: Uint32Array,
  table: number,
): MemberTiles {
  const k = starts.length - 1;
  const sizes = new Uint32Array(k).map((_, j) => starts[j + 1] - starts[j]);
  const struct = reserveScreen(region, Z, lengths, sizes);
  const build: Build = { region, struct, k, kernel: kernelsFor({ region, precision: Z.precision }) };
  assignTiles(
    build,
    Array.from(sizes, (_, j) => ids.subarray(starts[j], starts[j + 1])),
  );
  const orders = Array.from(sizes, (size, j) => orderCluster(build, j, size));
  const enough = orders.reduce((sum, order, j) => sum + (order.enough * sizes[j]) / Z.samples, 0);
  reserveTiles(region, struct, k, countLeading(Z.features, enough));
  assignTiles(
    build,
    orders.map(({ order }, j) => sortCluster(build, j, order, table)),
  );
  for (let j = 0; j < k; j++) build.kernel.fillTiles(struct.at, j);
  return { ...struct, samples: viewSamples(build, Z) };
}

/** Gives every cluster whole tiles for its members. */
function assignTiles({ region, struct: { fields }, k }: Build, members: readonly Uint32Array[]): void {
  const ids = region.u32(fields.ids, WIDTH * countTiles(fields.n, k)).fill(NO_MEMBER);
  const firsts = region.u32(fields.starts, k + 1).fill(0);
  members.forEach((list, j) => {
    ids.set(list, WIDTH * firsts[j]);
    firsts[j + 1] = firsts[j] + Math.ceil(list.length / WIDTH);
  });
}

/** Computes the centre of cluster j and the order of its features, from a sample of its members. */
function orderCluster({ region, struct: { at, fields }, kernel }: Build, j: number, size: number): FeatureOrder {
  const step = Math.max(1, Math.ceil(size / SAMPLED));
  kernel.sumMembers(at, j, step);
  const [sums, squares] = [fields.centres, fields.squareSums].map((rows) =>
    region.f64(rows + 8 * j * fields.m, fields.m),
  );
  return orderFeatures(sums, squares, Math.ceil(size / step));
}

/** Chooses the quantisation of cluster j; returns its distinct members, sorted by the first leading feature. */
function sortCluster(build: Build, j: number, order: Uint32Array, table: number): Uint32Array {
  const { region, struct, k, kernel } = build;
  const { at, fields } = struct;
  const { m, leading } = fields;
  region.u32(fields.orders + 4 * j * leading, leading).set(order.subarray(0, leading));
  if (fields.sparse) {
    const slots = region.u32(fields.slots + 4 * j * m, m).fill(NO_MEMBER);
    for (let q = 0; q < leading; q++) slots[order[q]] = q;
  }
  const scale = LONGEST / Math.max(LEAST, Math.sqrt(kernel.measureResiduals(at, j)));
  region.f64(fields.quantScales, k)[j] = scale;
  region.f64(fields.quantErrors, k)[j] = 0.5 + scale * Math.sqrt((m + 8) * 2 ** -50);
  const left = kernel.linkEqual(at, j, table);
  kernel.sortMembers(at, j, left, table);
  return region.u32(fields.ids + ROW * region.u32(fields.starts, k)[j], left).slice();
}

function viewSamples({ region, struct: { fields } }: Build, Z: Matrix): Matrix {
  const { samples: n, features: m } = Z;
  const floats = Z.precision === "f64" ? region.f64 : region.f32;
  if (Z.kind === "dense") return new Dense(n, m, floats(fields.X, n * m));
  const [offsets, indices] = [region.u32(fields.X, n + 1), region.u32(fields.indices, Z.indices.length)];
  return Sparse.trust(n, m, offsets, indices, floats(fields.values, Z.values.length));
}
