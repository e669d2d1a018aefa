/** What functions of the caller's thread are for, by their names in a profile. The first that fits counts. */
export const PURPOSES = {
  // `set` copies arrays, also W into the kernels' memory.
  "copying in": /^(loadCopy|put|set|toCsr|loadAs|loadSamples|fullestRow|kernel (denseToCsr|survey))/,
  sweeping: /^(kernel (?!put|gather)|sweep|look|decide|#tighten|#settle|#scoreMarked|clear|merge$)/,
  merging: /^(mergeSums|addTo|mergeStats|pushStats|totalStats|slice|finish|buffersOf|kernel gather)/,
  "W step":
    /^(divideRows|meanW|updateW|rowLengths|rowProducts|lossOf|lossChange|squareOf|potential|measureMoment|singleErrorOf|reduce|forEach)/,
  "preparing W":
    /^(load|place|#pack|#addDrifts|#arrange|begin|#beginState|kernel put|topTwo|farther|above|writeStruct|#reset)/,
  messages: /^(copyAll|copyForTransfer|post|receive|#receive|emitMessage|ask|oninit|deserialize|\(program\))/i,
  "collecting garbage": /^\(garbage/,
  waiting: /^(\(idle\)|wait|rest)/,
};
export const OTHER = "other";

/** Milliseconds by purpose, and those functions that took most. @param names what WebAssembly functions are called */
export function splitProfile({ nodes, samples, timeDeltas }, names) {
  const nameOf = ({ functionName }) => {
    const index = /^wasm-function\[(\d+)\]$/.exec(functionName)?.[1];
    if (index !== undefined) return `kernel ${names.get(Number(index)) ?? index}`;
    return functionName || "anonymous";
  };
  const nodeNames = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const functions = new Map();
  samples.forEach((id, i) => {
    const name = nodeNames.get(id);
    functions.set(name, (functions.get(name) ?? 0) + timeDeltas[i] / 1000);
  });
  const split = {};
  for (const [name, ms] of functions) {
    const purpose = Object.keys(PURPOSES).find((purpose) => PURPOSES[purpose].test(name)) ?? OTHER;
    split[purpose] = (split[purpose] ?? 0) + ms;
  }
  const most = [...functions].sort((a, b) => b[1] - a[1]).slice(0, 16);
  return { split, functions: most };
}
