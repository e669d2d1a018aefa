/** A device with what was compiled on it. */
export interface Gpu {
  readonly device: GPUDevice;
  readonly name: string;
  /** An adapter that computes on the CPU. */
  readonly software: boolean;
  /** Whether kernels can be timed. */
  readonly timestamps: boolean;
  readonly pipelines: Map<string, Promise<GPUComputePipeline>>;
  /** Why the device is lost; null while it works. */
  lost: string | null;
}

export interface GpuInfo {
  /** What the adapter says it is. */
  readonly name: string;
  /** An adapter that computes on the CPU. */
  readonly software: boolean;
}

/** Dawn crashes the process when its objects are collected: they are kept for ever. */
const kept = new Set<unknown>();
const opened = new WeakMap<GPU, Promise<Gpu | null>>();
let found: Promise<GPU | null> | null = null;

/**
 * The GPUs at hand: `navigator.gpu` in browsers and their workers, in Node those of the npm package `webgpu`, an optional peer that is loaded
 * by this function alone. Null where there is neither.
 *
 * @example
 * ```ts
 * import { findGpu } from "bonmf-webgpu";
 * const gpu = await findGpu();
 * gpu === null || "requestAdapter" in gpu; // → true
 * ```
 */
export function findGpu(): Promise<GPU | null> {
  found ??= find().then((gpu) => {
    kept.add(gpu);
    return gpu;
  });
  return found;
}

async function find(): Promise<GPU | null> {
  const here = (globalThis as { navigator?: { gpu?: GPU } }).navigator?.gpu;
  if (here) return here;
  // Not resolved by bundlers: browsers have no use for it.
  const name = "webgpu";
  try {
    const { create } = (await import(/* @vite-ignore */ name)) as { create(options: string[]): GPU };
    return create([]);
  } catch {
    return null;
  }
}

/**
 * What would compute: the adapter that `gpu` offers. Null where it offers none.
 *
 * @param gpu default: that of {@link findGpu}
 *
 * @example
 * ```ts
 * import { describeGpu } from "bonmf-webgpu";
 * const info = await describeGpu();
 * info === null || info.name.length > 0; // → true
 * ```
 */
export async function describeGpu(gpu?: GPU | null): Promise<GpuInfo | null> {
  const own = gpu === undefined ? await findGpu() : gpu;
  const device = own && (await openGpu(own));
  return device && { name: device.name, software: device.software };
}

/** The device of a GPU object; all sources share it. A lost one is replaced. */
export async function openGpu(gpu: GPU): Promise<Gpu | null> {
  const before = await opened.get(gpu);
  if (before && before.lost === null) return before;
  const opening = open(gpu);
  opened.set(gpu, opening);
  return opening;
}

async function open(gpu: GPU): Promise<Gpu | null> {
  kept.add(gpu);
  try {
    const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
    if (adapter === null) return null;
    const { maxStorageBufferBindingSize, maxBufferSize } = adapter.limits;
    const timestamps = adapter.features.has("timestamp-query");
    const device = await adapter.requestDevice({
      requiredLimits: { maxStorageBufferBindingSize, maxBufferSize },
      requiredFeatures: timestamps ? ["timestamp-query"] : [],
    });
    kept.add(adapter);
    return wrapDevice(device, adapter.info);
  } catch {
    return null;
  }
}

/** @param info what the adapter says of itself */
export function wrapDevice(device: GPUDevice, info: GPUAdapterInfo | undefined = device.adapterInfo): Gpu {
  kept.add(device);
  const named = [info?.description, info?.device, info?.architecture, info?.vendor].find(Boolean) ?? "a GPU";
  const gpu: Gpu = {
    device,
    name: named.trim(),
    software: info?.isFallbackAdapter === true || /swiftshader|llvmpipe|lavapipe|basic render/i.test(named),
    timestamps: device.features.has("timestamp-query"),
    pipelines: new Map(),
    lost: null,
  };
  void device.lost.then(({ message, reason }) => {
    gpu.lost = message || reason;
  });
  return gpu;
}

/** Compiles a kernel once for each device. */
export function compile(gpu: Gpu, key: string, source: () => string): Promise<GPUComputePipeline> {
  let pipeline = gpu.pipelines.get(key);
  if (pipeline === undefined) {
    const module = gpu.device.createShaderModule({ code: source(), label: key });
    pipeline = gpu.device.createComputePipelineAsync({
      label: key,
      layout: "auto",
      compute: { module, entryPoint: "main" },
    });
    gpu.pipelines.set(key, pipeline);
  }
  return pipeline;
}
