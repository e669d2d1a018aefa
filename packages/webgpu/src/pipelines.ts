import { compile, type Gpu } from "./device.js";
import { COUNT, LIST, PLACE } from "./shaders/moves.js";
import { fitsRows, GROUP, rowsShader } from "./shaders/rows.js";
import { SCREEN } from "./shaders/screen.js";
import { SETTLE } from "./shaders/settle.js";
import { type SumsVariant, sumsShader } from "./shaders/sums.js";
import { TILE, TILES } from "./shaders/tiles.js";

type Pipelines<Name extends string> = Record<Name, GPUComputePipeline>;

/** The kernels that label samples. */
export async function compileLabelling(
  gpu: Gpu,
  k: number,
  quads: number,
): Promise<Pipelines<"screen" | "label" | "settle">> {
  const [screen, label, settle] = await Promise.all([
    compile(gpu, "screen", () => SCREEN),
    fitsRows(k, quads)
      ? compile(gpu, `rows ${k} ${quads}`, () => rowsShader(k, quads))
      : compile(gpu, "tiles", () => TILES),
    compile(gpu, "settle", () => SETTLE),
  ]);
  return { screen, label, settle };
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
    compile(gpu, `sums ${variant.scaled} ${variant.weighted}`, () => sumsShader(variant)),
  ]);
  return { count, place, list, sums };
}

/** Compiles what a fit will need, while its samples are copied. What fails will fail again where it is used. */
export function compileEarly(gpu: Gpu, k: number, quads: number, weighted: boolean): void {
  void compileLabelling(gpu, k, quads).catch(() => {});
  void compileSumming(gpu, { scaled: weighted, weighted }).catch(() => {});
}

/** Samples of a workgroup that labels. */
export function heightFor(k: number, quads: number): number {
  return fitsRows(k, quads) ? GROUP : TILE;
}

/** The name of the kernel that labels samples, for `model.kernel`. */
export function nameKernel(k: number, quads: number): string {
  return `WebGPU dense f32, Hamerly, ${fitsRows(k, quads) ? "a thread a sample" : "tiles of 64 × 64"}`;
}
