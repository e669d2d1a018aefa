/** Whether the slow stage of .ci/run is at work: `npm test` takes part of each sweep of many combinations. */
export const isThorough = process.env.BONMF_SWEEPS === "all";

/** How much of a sweep is run: seeds, iterations, samples. The first cases are the same either way. */
export function budget(usual: number, thorough: number): number {
  return isThorough ? thorough : usual;
}
