import type { Agreement, Cluster, Findings } from "bonmf-report";

/** The group of each cluster of a run; groups count from 0 without gaps. */
export type Groups = readonly number[];

export function separate(k: number): Groups {
  return Array.from({ length: k }, (_, j) => j);
}

/** Puts two groups together, under the number of the first. Names go along. */
export function join(
  groups: Groups,
  names: readonly string[],
  a: number,
  b: number,
): { groups: Groups; names: string[] } {
  const [low, high] = a < b ? [a, b] : [b, a];
  const move = (group: number) => (group === high ? low : group > high ? group - 1 : group);
  const kept = names.filter((_, group) => group !== high);
  kept[low] = names[a];
  return { groups: groups.map(move), names: kept };
}

/** Findings as if the clusters of a group had been one. The prototype shown is the mean by size. */
export function mergeFindings(findings: Findings, groups: Groups): Findings {
  const count = Math.max(...groups) + 1;
  if (count === findings.clusters.length) return findings;
  const agreement = findings.agreement && mergeAgreement(findings.agreement, groups, count);
  const rename = <T extends { readonly rival: number | null }>(member: T) => ({
    ...member,
    rival: member.rival === null ? null : groups[member.rival],
  });
  const clusters = Array.from({ length: count }, (_, group) => {
    const members = findings.clusters
      .filter(({ cluster }) => groups[cluster] === group)
      .map((one) => ({
        ...one,
        typical: one.typical.map(rename),
        // Members between two merged clusters are no longer borderline.
        borderline: one.borderline.map(rename).filter(({ rival }) => rival !== group),
      }));
    return mergeClusters(members, group, agreement);
  });
  return {
    ...findings,
    run: { ...findings.run, k: count },
    clusters,
    map: { ...findings.map, clusters: findings.map.clusters.map((cluster) => groups[cluster]) },
    agreement,
  };
}

/** Findings with the names of groups; "" for one that goes by its number. */
export function nameFindings(findings: Findings, names: readonly string[]): Findings {
  return { ...findings, clusters: findings.clusters.map((one, group) => ({ ...one, name: names[group] || null })) };
}

function mergeClusters(members: readonly Cluster[], group: number, agreement: Agreement | null): Cluster {
  const [largest] = [...members].sort((a, b) => b.size - a.size);
  const size = members.reduce((sum, member) => sum + member.size, 0);
  const mean = (of: (member: Cluster) => number) =>
    size === 0 ? 0 : members.reduce((sum, member) => sum + member.size * of(member), 0) / size;
  const most = members.reduce((most, { typical }) => Math.max(most, typical.length), 0);
  const picture = largest.picture?.map((_, p) => Math.round(mean((member) => member.picture?.[p] ?? 0))) ?? null;
  const features = new Map(members.flatMap(({ distinctive }) => distinctive).map((one) => [one.name, one]));
  const gain = ({ value, mean, effect }: Cluster["distinctive"][number]) => Math.abs(effect?.d ?? value - mean);
  return {
    ...largest,
    cluster: group,
    size,
    share: members.reduce((sum, { share }) => sum + share, 0),
    cosine: mean(({ cosine }) => cosine ?? 0),
    majority: agreement?.counts ? findMajority(agreement, group, size) : largest.majority,
    picture,
    distinctive: [...features.values()].sort((a, b) => gain(b) - gain(a)).slice(0, largest.distinctive.length),
    typical: members
      .flatMap(({ typical }) => typical)
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, most),
    borderline: members
      .flatMap(({ borderline }) => borderline)
      .sort((a, b) => a.margin - b.margin)
      .slice(0, most),
  };
}

function findMajority({ counts, classes }: Agreement, group: number, size: number): Cluster["majority"] {
  if (!counts || size === 0) return null;
  const best = counts.reduce((best, row, c) => (row[group] > counts[best][group] ? c : best), 0);
  return { label: classes[best], share: counts[best][group] / size };
}

function mergeAgreement(agreement: Agreement, groups: Groups, count: number): Agreement {
  if (!agreement.counts) return agreement;
  const counts = agreement.counts.map((row) => {
    const sums = new Array<number>(count).fill(0);
    for (const [j, value] of row.entries()) sums[groups[j]] += value;
    return sums;
  });
  const majorities = Array.from({ length: count }, (_, group) =>
    counts.reduce((best, row, c) => (row[group] > counts[best][group] ? c : best), 0),
  );
  const table = agreement.table.map((row) => scoreClass(row, agreement.classes.indexOf(row.label), counts, majorities));
  const right = table.reduce((sum, { recall, samples }) => sum + recall * samples, 0);
  const total = table.reduce((sum, { samples }) => sum + samples, 0);
  return {
    ...agreement,
    counts,
    order: [...new Set(agreement.order.map((j) => groups[j]))],
    table,
    labelAccuracy: right / total,
  };
}

type ClassRow = Agreement["table"][number];

/** As if every group stood for its majority class. */
function scoreClass(row: ClassRow, c: number, counts: readonly number[][], majorities: readonly number[]): ClassRow {
  const clusters = majorities.flatMap((majority, group) => (majority === c ? [group] : []));
  const sum = (of: (group: number) => number) => clusters.reduce((total, group) => total + of(group), 0);
  const right = sum((group) => counts[c][group]);
  const given = sum((group) => counts.reduce((total, line) => total + line[group], 0));
  const precision = given === 0 ? 0 : right / given;
  const recall = row.samples === 0 ? 0 : right / row.samples;
  return { ...row, clusters, precision, recall, f1: right === 0 ? 0 : (2 * right) / (given + row.samples) };
}
