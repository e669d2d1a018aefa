import type { FitOptions, Matrix } from "bonmf";

/** The GPU for a fit that is large enough to gain from it, where the browser has one that is no software; else the CPU. */
export async function chooseEngine(
  { samples, features }: Matrix,
  { k, method = "bonmf" }: Pick<FitOptions, "k" | "method">,
): Promise<FitOptions["engine"]> {
  if (!("gpu" in (globalThis.navigator ?? {}))) return "cpu";
  const { describeGpu, findGpu, isWorthGpu, webgpuSource } = await import("bonmf-webgpu");
  if (!isWorthGpu({ samples, features, k, method })) return "cpu";
  const gpu = await findGpu();
  const found = await describeGpu(gpu);
  if (found === null || found.software) return "cpu";
  return (X, options) => webgpuSource(X, { ...options, gpu });
}
