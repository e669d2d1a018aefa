import { memorySource } from "../engine/in-memory.js";
import type { MakeSource, SampleOptions, Source } from "../engine/source.js";
import { OptionError, quote } from "../errors.js";
import type { MethodName } from "../factor/settings.js";
import type { KnownOptions } from "../known-options.js";
import type { Matrix } from "../matrix/matrix.js";

/** Where the sweeps of a fit run. The result has the same bits everywhere. */
export interface EngineChoice {
  /**
   * `cpu` (default); `gpu`: the package `bonmf-webgpu`, which must be installed; `auto`: that package where it is installed, finds a
   * GPU and the fit is large enough to gain from it. Bundlers do not see a package that is only named: give them its
   * `webgpuSource` in place of a name.
   */
  engine?: EngineName | MakeSource | undefined;
  /** Called with what is worth knowing of the engine, such as why the CPU computes in place of the GPU. */
  onNote?: ((note: string) => void) | undefined;
}

export type EngineName = (typeof ENGINES)[number];

export const ENGINE_CHOICE: KnownOptions<EngineChoice> = { engine: true, onNote: true };

const ENGINES = ["cpu", "gpu", "auto"] as const;

/** What a fit will do, for whoever decides where. `once`: no fit, a single sweep. */
type Work = EngineChoice & { readonly k: number; readonly method: MethodName; readonly once?: boolean };

/** Of sparse samples: how many values they store. */
type Stored = { readonly stored: number | undefined };

/** What is used of `bonmf-webgpu`. */
interface GpuPackage {
  readonly webgpuSource: MakeSource;
  isWorthGpu(work: Omit<Work, keyof EngineChoice> & Pick<Matrix, "samples" | "features"> & Stored): boolean;
  describeGpu(): Promise<{ readonly software: boolean } | null>;
}

/** In a variable, so that bundlers do not look for it. */
const GPU_PACKAGE = "bonmf-webgpu";

export function checkEngine({ engine = "cpu" }: EngineChoice): void {
  if (typeof engine === "function" || ENGINES.some((name) => name === engine)) return;
  const message = `engine ${quote(engine)} is not known: choose "cpu", "gpu" or "auto", or give webgpuSource of ${GPU_PACKAGE}`;
  throw new OptionError("engine", engine, message);
}

/** Scaled samples in memory as a source of the engine asked for. */
export async function chooseSource(X: Matrix, options: Omit<SampleOptions, "onNote">, work: Work): Promise<Source> {
  const { engine = "cpu", onNote } = work;
  if (typeof engine === "function") return checkSource(engine(X, { ...options, onNote }), engine);
  const own = () => memorySource(X, options.weights, options.unchecked, options.gaps);
  if (engine === "cpu") return own();
  const gpu = await loadGpuPackage(engine === "gpu");
  if (gpu === null) {
    onNote?.(`the package ${GPU_PACKAGE} is not installed: the CPU computes`);
    return own();
  }
  if (engine === "auto" && !(await gains(gpu, X, work))) return own();
  return gpu.webgpuSource(X, { ...options, onNote });
}

/** An adapter that is software computes on the CPU, and slower than the kernels made for it. */
async function gains(gpu: GpuPackage, X: Matrix, work: Work): Promise<boolean> {
  const { k, method, once = false } = work;
  const { samples, features } = X;
  const stored = X.kind === "sparse" ? X.values.length : undefined;
  if (!gpu.isWorthGpu({ samples, features, stored, k, method, once })) return false;
  return (await gpu.describeGpu())?.software === false;
}

function checkSource(source: Source, engine: MakeSource): Source {
  if (typeof (source as Partial<Source> | null | undefined)?.open === "function") return source;
  throw new OptionError("engine", engine, `engine returned ${quote(source)}, which is no source of samples`);
}

async function loadGpuPackage(needed: boolean): Promise<GpuPackage | null> {
  try {
    return (await import(/* @vite-ignore */ /* webpackIgnore: true */ GPU_PACKAGE)) as GpuPackage;
  } catch {
    if (!needed) return null;
    const remedy = `npm install ${GPU_PACKAGE} webgpu; with a bundler give its webgpuSource as engine`;
    throw new OptionError("engine", "gpu", `engine "gpu" needs the package ${GPU_PACKAGE}: ${remedy}`);
  }
}
