import type { Source } from "bonmf";
import { type Engine, type Gaps, type Matrix, memorySource } from "bonmf/engine";
import { largestOf } from "./bound.js";
import { mostTerms } from "./csr.js";
import { findGpu, type Gpu, openGpu, wrapDevice } from "./device.js";
import { GpuEngine } from "./engine.js";
import { countQuads, GpuMemoryError, measureNorms, type Part, releaseParts, uploadParts } from "./parts.js";
import { compileEarly } from "./pipelines.js";
import { roundsToNearest } from "./rounding.js";
import { type Extremes, findExtremes, surveyParts } from "./survey.js";
import { GpuSweep, MOST_VALUE } from "./sweep.js";
import type { Times } from "./timer.js";

export interface WebgpuOptions {
  /** `navigator.gpu`, or what `create([…])` of the npm package `webgpu` returns. Default: what `findGpu` finds. */
  gpu?: GPU | null | undefined;
  /** A device of one's own, instead of `gpu`; its limits are those it was requested with. */
  device?: GPUDevice | undefined;
  /** ω, one number a sample. */
  weights?: Float64Array | null | undefined;
  /** What is missing of the samples: such samples stay on the CPU. */
  gaps?: Gaps | null | undefined;
  /** Nobody has checked the values yet: one that is not finite is an error. */
  unchecked?: boolean | undefined;
  /** Receives notes for people: why the CPU computes. */
  onNote?: ((note: string) => void) | undefined;
  /** Receives after each sweep the milliseconds of every kernel, where the adapter measures them, and how many samples were scored and settled. */
  onTimes?: ((times: Times) => void) | undefined;
}

/** For tests. */
export interface InnerOptions extends WebgpuOptions {
  /** What error bounds are multiplied by. */
  margin?: number;
  /** What the moves of prototypes are multiplied by. */
  drift?: number;
  /** The most samples of a part. */
  most?: number;
  /** False: as on an adapter that does not round to nearest. */
  nearest?: boolean;
}

/**
 * Samples in memory as a source whose labels are found on the GPU: labels, W and history are those of the CPU, to the bit. Where the GPU
 * cannot help, or fails, the CPU goes on alone, and a note says why: without an adapter or enough memory, for samples in 64 bits or
 * with gaps, for methods whose codes are no labels.
 *
 * @param X n samples of m features, scaled
 *
 * @example
 * ```ts
 * import { Dense, fit } from "bonmf";
 * import { webgpuSource } from "bonmf-webgpu";
 * const X = Dense.from([[5, 0, 1], [4, 1, 0], [0, 3, 3], [1, 4, 5]]);
 * const model = await fit(webgpuSource(X), { k: 2, seed: 7 });
 * model.labels[0] === model.labels[1]; // → true
 * ```
 */
export function webgpuSource(X: Matrix, options: WebgpuOptions = {}): Source {
  const { weights = null, gaps = null, unchecked = false, onNote = () => {} } = options;
  const cpu = memorySource(X, weights, unchecked, gaps);
  const noted = new Set<string>();
  const note = (text: string) => {
    if (!noted.has(text)) onNote(text);
    noted.add(text);
  };
  const { samples, features, precision } = cpu;
  return {
    samples,
    features,
    precision,
    async open(opening) {
      const openCpu = () => cpu.open(opening);
      const refuse = (why: string) => note(`The CPU computes: ${why}`);
      const why = whyNot(X, opening.form, gaps) ?? whyNotWeights(weights, samples);
      if (why !== null) refuse(why);
      else {
        const gpu = await deviceOf(options);
        const engine = gpu && (await openOnGpu(gpu, X, opening.k, options, openCpu, note).catch(explain));
        if (typeof engine === "object" && engine !== null) return engine;
        refuse(engine ?? (await whyNoAdapter(options)));
      }
      return openCpu();
    },
  };
}

function whyNot(X: Matrix, form: string, gaps: Gaps | null): string | null {
  if (form !== "labels") return "only bonmf, spherical and kmeans run on the GPU";
  if (X.precision !== "f32") return "samples in 64 bits stay on the CPU";
  if (gaps !== null) return "samples with missing values stay on the CPU";
  return null;
}

/** @returns why not, or the engine */
async function openOnGpu(
  gpu: Gpu,
  X: Matrix,
  k: number,
  options: InnerOptions,
  openCpu: () => Promise<Engine>,
  note: (text: string) => void,
): Promise<Engine | string> {
  const { weights = null, margin = 1, drift = 1, onTimes } = options;
  const sparse = X.kind === "sparse";
  const nearest = options.nearest ?? (await roundsToNearest(gpu));
  compileEarly(gpu, { sparse, k, quads: countQuads(X.features), nearest }, weights !== null);
  const parts = await uploadParts(gpu, X, options.most);
  const found = await examine(gpu, parts, X).catch((error: unknown) => {
    releaseParts(parts);
    throw error;
  });
  if (typeof found === "string") {
    releaseParts(parts);
    return found;
  }
  const sweep = new GpuSweep(gpu, X, parts, {
    ...{ weights, margin, drift, nearest, onTimes },
    ...{ largest: found.largest, least: found.least },
  });
  const onFailure = (error: unknown) => note(`The CPU goes on: ${explain(error)}`);
  // The CPU surveys samples with negative values.
  const survey = found.negative ? null : () => surveyParts(gpu, parts, found.most, weights);
  return new GpuEngine({ X, sweep, survey, openCpu, onFailure });
}

/** Bounds the lengths of samples. @returns why not, or what is known of the samples */
async function examine(
  gpu: Gpu,
  parts: readonly Part[],
  X: Matrix,
): Promise<(Extremes & { largest: number }) | string> {
  const found = await findExtremes(gpu, parts, X.features);
  // The CPU says which value it is.
  if (!found.finite) return "there are values that are not finite";
  const largest = largestOf(found.most);
  if (!(largest > 1 / MOST_VALUE && largest < MOST_VALUE)) return `values up to ${largest} are out of the GPU's range`;
  await measureNorms(gpu, parts, mostTerms(X), largest);
  if (gpu.lost !== null) throw new Error(gpu.lost);
  return { ...found, largest };
}

async function deviceOf({ gpu, device }: WebgpuOptions): Promise<Gpu | null> {
  if (device) return wrapDevice(device);
  const own = gpu === undefined ? await findGpu() : gpu;
  return own && openGpu(own);
}

async function whyNoAdapter({ gpu }: WebgpuOptions): Promise<string> {
  const missing = gpu === undefined && (await findGpu()) === null;
  return missing ? "there is no WebGPU (in Node: npm install webgpu@0.6.2)" : "there is no GPU adapter";
}

/** A term of a sum must be at most a quarter of what its grid was made for, and every number one of 64 bits with all its digits. */
function whyNotWeights(weights: Float64Array | null, samples: number): string | null {
  if (weights === null) return samples < 4 ? "there are fewer than four samples" : null;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  for (const weight of weights) {
    if (weight > total / 4) return "one sample has a quarter of all weight";
    if (weight !== 0 && !(weight > 2 ** -200 && weight < 2 ** 200)) return `a weight of ${weight} is out of range`;
  }
  return null;
}

function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof GpuMemoryError) return `the GPU has too little memory (${message})`;
  return `the GPU failed (${message})`;
}
