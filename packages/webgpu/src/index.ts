export { describeGpu, findGpu, type GpuInfo } from "./device.js";
export { type WebgpuOptions, webgpuSource } from "./source.js";
export type { Times } from "./timer.js";
export { isWorthGpu } from "./worth.js";
