import type { FitOptions, Matrix } from "bonmf";

/** The GPU for a fit that is large enough to gain from it, where the browser has one that is no software; else the CPU. */
export async function chooseEngine(
  X: Matrix,
  { k, method = "bonmf" }: Pick<FitOptions, "k" | "method">,
): Promise<FitOptions["engine"]> {
  if (!("gpu" in (globalThis.navigator ?? {}))) return "cpu";
  const { describeGpu, findGpu, isWorthGpu, webgpuSource } = await import("bonmf-webgpu");
  const { samples, features } = X;
  const stored = X.kind === "sparse" ? X.values.length : undefined;
  if (!isWorthGpu({ samples, features, stored, k, method })) return "cpu";
  const gpu = await findGpu();
  const found = await describeGpu(gpu);
  if (found === null || found.software) return "cpu";
  return (Z, options) => webgpuSource(Z, { ...options, gpu });
}
