import { compile, type Gpu } from "./device.js";
import { CSR_GROUP, CSR_LABELS, CSR_SETTLE } from "./shaders/csr.js";
import { COUNT, LIST, PLACE } from "./shaders/moves.js";
import { fitsRows, GROUP, rowsShader } from "./shaders/rows.js";
import { SCREEN } from "./shaders/screen.js";
import { SETTLE } from "./shaders/settle.js";
import { SETTLE_TILES } from "./shaders/settle-tiles.js";
import { type SumsVariant, sumsShader } from "./shaders/sums.js";
import { TILE, tilesShader } from "./shaders/tiles.js";

type Pipelines<Name extends string> = Record<Name, GPUComputePipeline>;

/** What kernels are chosen by. */
export interface Shape {
  /** Samples are in CSR format. */
  readonly sparse: boolean;
  readonly k: number;
  readonly quads: number;
  /** Of dense samples: products and sums in doubt may be left to the adapter (rounding.ts). */
  readonly nearest: boolean;
}

/** The kernels that label samples. */
export async function compileLabelling(gpu: Gpu, shape: Shape): Promise<Pipelines<"screen" | "label" | "settle">> {
  const [screen, label, settle] = await Promise.all([
    compile(gpu, "screen", () => SCREEN),
    compileLabels(gpu, shape),
    compileSettling(gpu, shape),
  ]);
  return { screen, label, settle };
}

function compileLabels(gpu: Gpu, { sparse, k, quads }: Shape): Promise<GPUComputePipeline> {
  if (sparse) return compile(gpu, "labels CSR", () => CSR_LABELS);
  if (fitsRows(k, quads)) return compile(gpu, `rows ${k} ${quads}`, () => rowsShader(k, quads));
  // Two tiles side by side are faster, but not where the second would be empty.
  const side = Math.ceil(k / TILE) % 2 === 0 ? 2 : 1;
  return compile(gpu, `tiles ${side}`, () => tilesShader(side));
}

function compileSettling(gpu: Gpu, { sparse, nearest }: Shape): Promise<GPUComputePipeline> {
  if (sparse) return compile(gpu, "settle CSR", () => CSR_SETTLE);
  return nearest ? compile(gpu, "settle tiles", () => SETTLE_TILES) : compile(gpu, "settle", () => SETTLE);
}

/** The kernels that move samples between the sums. */
export async function compileSumming(
  gpu: Gpu,
  variant: SumsVariant,
): Promise<Pipelines<"count" | "place" | "list" | "sums">> {
  const [count, place, list, sums] = await Promise.all([
    compile(gpu, "count", () => COUNT),
    compile(gpu, "place", () => PLACE),
    compile(gpu, "list", () => LIST),
    compile(gpu, `sums ${Object.values(variant)}`, () => sumsShader(variant)),
  ]);
  return { count, place, list, sums };
}

/** Compiles what a fit will need, while its samples are copied. What fails will fail again where it is used. */
export function compileEarly(gpu: Gpu, shape: Shape, weighted: boolean): void {
  void compileLabelling(gpu, shape).catch(() => {});
  void compileSumming(gpu, { sparse: shape.sparse, scaled: weighted, weighted }).catch(() => {});
}

/** Samples of a workgroup that labels. */
export function heightFor({ sparse, k, quads }: Shape): number {
  if (sparse) return CSR_GROUP;
  return fitsRows(k, quads) ? GROUP : TILE;
}

/** The name of the kernel that labels samples, for `model.kernel`. */
export function nameKernel({ sparse, k, quads }: Shape): string {
  if (sparse) return "WebGPU CSR f32, Hamerly";
  return `WebGPU dense f32, Hamerly, ${fitsRows(k, quads) ? "a thread a sample" : "tiles"}`;
}
