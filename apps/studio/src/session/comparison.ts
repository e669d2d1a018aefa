import { ari, matchClusters, nmi, type Positions } from "bonmf";
import type { Findings, Merged } from "bonmf-report";
import type { Comparison } from "./protocol.js";

/**
 * Two runs of the same samples: which clusters are the same, one to one, and which samples are in another.
 *
 * @param findings the left run's, with the right run's clusters as labels
 * @param positions where the samples lie
 */
export function compareRuns(left: Merged, right: Merged, findings: Findings, positions: Positions): Comparison {
  const [a, b] = [numberSamples(left), numberSamples(right)];
  const partnerOf = matchClusters(b, a) as Map<number, number>;
  const tables = new Map<string, number[]>();
  a.forEach((number, i) => {
    const key = `${number},${b[i]}`;
    const samples = tables.get(key);
    if (samples) samples.push(i);
    else tables.set(key, [i]);
  });
  const moves = [...tables].map(([key, samples]) => {
    const [from, to] = key.split(",").map(Number);
    return { from, to, samples: Uint32Array.from(samples) };
  });
  const isMoved = ({ from, to }: { from: number; to: number }) => partnerOf.get(from) !== to;
  const [sizesA, sizesB] = [countSizes(left), countSizes(right)];
  const partners = new Set(partnerOf.values());
  const pairs = [
    ...left.numbers.map((number) => ({ left: number, right: partnerOf.get(number) ?? null })),
    ...right.numbers.filter((number) => !partners.has(number)).map((number) => ({ left: null, right: number })),
  ].map((pair) => ({
    ...pair,
    shared: tables.get(`${pair.left},${pair.right}`)?.length ?? 0,
    sizes: [sizesA.get(pair.left ?? -1) ?? 0, sizesB.get(pair.right ?? -1) ?? 0] as const,
  }));
  return {
    ari: ari(b, a),
    nmi: nmi(b, a),
    findings,
    positions,
    pairs: pairs.sort((one, other) => other.shared - one.shared),
    moved: moves.filter(isMoved).sort((one, other) => other.samples.length - one.samples.length),
    labels: [Uint32Array.from(a), Uint32Array.from(b)],
  };
}

function numberSamples({ model, numbers }: Merged): number[] {
  return Array.from(model.labels, (place) => numbers[place]);
}

function countSizes({ model, numbers }: Merged): Map<number, number> {
  return new Map(numbers.map((number, place) => [number, model.counts[place]]));
}
