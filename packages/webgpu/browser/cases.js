// Runs in the page: fits on the GPU and on the CPU, compared to the bit.
import { Dense, fit } from "bonmf";
import { describeGpu, webgpuSource } from "bonmf-webgpu";

export async function describe() {
  return (await describeGpu())?.name ?? null;
}

/** Says what differs, and what was noted; nothing, if all is well. */
export async function compareFits(method, samples, features, k, weighted) {
  const X = makeClouds(samples, features, k);
  const weights = weighted ? Float64Array.from({ length: samples }, (_, i) => (i % 5) / 2) : null;
  const options = { method, k, seed: 3, maxIterations: 5 };
  const said = [];
  const own = await fit(webgpuSource(X, { weights, onNote: (note) => said.push(note) }), options);
  const cpu = await fit(X, { ...options, ...(weights && { weights }) });
  if (!own.kernel.startsWith("WebGPU")) said.push(`computed by ${own.kernel}`);
  if (own.labels.some((label, i) => label !== cpu.labels[i])) said.push("labels differ");
  if (own.W.data.some((value, q) => !Object.is(value, cpu.W.data[q]))) said.push("W differs");
  if (JSON.stringify(own.history) !== JSON.stringify(cpu.history)) said.push("the history differs");
  return said;
}

function makeClouds(samples, features, k) {
  let state = 5;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const centres = Float32Array.from({ length: k * features }, next);
  const data = new Float32Array(samples * features);
  for (let i = 0, p = 0; i < samples; i++) {
    const centre = Math.floor(next() * k) * features;
    for (let f = 0; f < features; f++, p++) data[p] = centres[centre + f] + 0.7 * next();
  }
  return new Dense(samples, features, data);
}
