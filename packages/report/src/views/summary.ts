import type { Stopped } from "bonmf";
import { warnOfChance } from "../chance.js";
import type { Findings } from "../findings.js";
import { element } from "./element.js";
import { count, decimal, percent, plural } from "./numbers.js";

/** The main figures. */
export function showStats({ samples, features, run, agreement, ...rest }: Findings): HTMLElement {
  // What chance gives was measured for the clusters found.
  const reference = run.k < run.fitted ? null : rest.reference;
  const tiles: [name: string, value: string, note: string][] = [
    ["Samples", count(samples), plural(features, "feature")],
    ["Clusters", count(run.k), run.k < run.fitted ? describeClusters(run) : run.method],
    ["Explained", percent(run.explained), describeErrors(run, reference)],
    ["Closeness", decimal(run.cosine), `mean cosine to the prototype${besides(reference?.chance.cosine)}`],
  ];
  if (reference) {
    const { own, chance } = reference;
    tiles.push(["Silhouette", decimal(own.silhouette), `shuffled data: ${decimal(chance.silhouette)}`]);
  }
  if (agreement) {
    tiles.push([
      "In majority class",
      percent(agreement.labelAccuracy),
      `baseline ${percent(agreement.baseline.share)}`,
    ]);
    tiles.push(["NMI", agreement.nmi.toFixed(3), `ARI ${agreement.ari.toFixed(3)}`]);
  } else
    tiles.push(["Iterations", count(run.history.length), run.converged ? "converged" : "stopped before converging"]);
  const list = tiles.map(([name, value, note]) =>
    element(
      "div",
      { class: "bonmf-stat" },
      element("dt", {}, name),
      element("dd", {}, value, element("small", {}, note)),
    ),
  );
  return element("dl", { class: "bonmf-stats" }, ...list);
}

/** "10 clusters by bonmf, merged into 8". */
function describeClusters({ k, fitted, method }: Findings["run"]): string {
  return `${plural(fitted, "cluster")} by ${method}${k < fitted ? `, merged into ${count(k)}` : ""}`;
}

function besides(chance: number | undefined): string {
  return chance === undefined ? "" : `; shuffled data: ${decimal(chance)}`;
}

function describeErrors({ relativeError }: Findings["run"], reference: Findings["reference"]): string {
  const chance = reference ? `shuffled data: ${percent(reference.chance.explained)}` : "one prototype: 0 %";
  return `${chance}; relative error ${decimal(relativeError)}`;
}

const ENDS: Readonly<Record<Stopped, string>> = {
  "fixed-point": "until no sample changed its cluster any more",
  tolerance: "until it settled",
  cycle: "until it went round in a circle between equally good answers",
  iterations: "which is the limit it was given: more might improve it",
  aborted: "and was then interrupted",
};

/** What was found, in plain words. */
export function showSummary(findings: Findings): HTMLElement {
  const warning = describeChance(findings);
  const texts = [describeFit(findings), describeSizes(findings), describeClasses(findings)];
  return element(
    "div",
    { class: "bonmf-prose" },
    warning !== null && element("p", { class: "bonmf-warning", role: "note" }, warning),
    ...texts.flatMap((text) => (text ? [element("p", {}, text)] : [])),
  );
}

/** Comes first where the clusters may be chance. */
function describeChance({ reference }: Findings): string | null {
  return reference === null || reference.better ? null : warnOfChance(reference);
}

function describeFit({ samples, features, run, reference }: Findings): string {
  const shape = `${plural(samples, "sample")} of ${plural(features, "feature")}`;
  const rounds = plural(run.history.length, "iteration");
  const found = run.same
    ? `${shape} were sorted into ${describeClusters(run)}. It took ${rounds}, ${ENDS[run.stopped]}.`
    : `${shape} were sorted by a model of ${describeClusters(run)}, found in ${count(run.trained)} other samples in ` +
      `${rounds}, ${ENDS[run.stopped]}.`;
  const share = percent(run.explained, run.explained < 0.1 ? 1 : 0);
  const chance =
    reference?.better && run.k === run.fitted
      ? `; in shuffled data they would explain ${percent(reference.chance.explained, 1)}`
      : "";
  return run.k === 1
    ? found
    : `${found} Its ${run.k} prototypes explain ${share} of what a single prototype for all samples leaves unexplained${chance}.`;
}

function describeSizes({ clusters, run }: Findings): string {
  const bySize = clusters.filter(({ size }) => size > 0).sort((a, b) => b.size - a.size);
  const name = (j: number) => clusters[j].name ?? `cluster ${clusters[j].number}`;
  const parts = [describeShares(bySize, name)];
  const tight = bySize.filter(({ size }) => size > 1).sort((a, b) => b.cosine! - a.cosine!);
  if (tight.length > 2) {
    parts.push(
      `Members are most alike in ${name(tight[0].cluster)} (mean cosine ${decimal(tight[0].cosine)}) and least in ` +
        `${name(tight[tight.length - 1].cluster)} (${decimal(tight[tight.length - 1].cosine)}).`,
    );
  }
  const empty = clusters.length - bySize.length;
  if (empty > 0) parts.push(`${plural(empty, "cluster has", "clusters have")} no members.`);
  if (run.dead > 0) {
    parts.push(`${plural(run.dead, "component is", "components are")} used by no sample: fewer say as much.`);
  }
  if (run.apart > 0) {
    parts.push(`${plural(run.apart, "sample has", "samples have")} nothing in common with any prototype.`);
  }
  return parts.join(" ");
}

/** @param bySize the largest first, none of them empty */
export function describeShares(bySize: Findings["clusters"], name: (cluster: number) => string): string {
  const [largest, smallest] = [bySize[0], bySize[bySize.length - 1]];
  if (bySize.length === 1) return "All samples are in one cluster.";
  if (largest.size === smallest.size) {
    return `Each of the ${bySize.length} clusters holds ${percent(largest.share)} of the samples.`;
  }
  return (
    `The largest, ${name(largest.cluster)}, holds ${percent(largest.share)} of the samples, the smallest, ` +
    `${name(smallest.cluster)}, ${percent(smallest.share)}.`
  );
}

function describeClasses({ agreement, run }: Findings): string | null {
  if (!agreement) return null;
  const { classes, labelAccuracy, baseline, clusteringAccuracy, nmi, table } = agreement;
  const unclaimed = table.filter(({ clusters }) => clusters.length === 0).map(({ label }) => label);
  const parts = [
    `Compared with the ${plural(classes.length, "class", "classes")} that were given and not used: ` +
      `${percent(labelAccuracy)} of the samples are in a cluster where their class is the most frequent ` +
      `(calling everything ${baseline.label} would get ${percent(baseline.share)}).`,
  ];
  if (clusteringAccuracy !== null && classes.length > 1 && run.k > 1) {
    parts.push(`With one cluster for each class it is ${percent(clusteringAccuracy)}; NMI is ${nmi.toFixed(3)}.`);
  }
  if (unclaimed.length > 0) {
    const named =
      unclaimed.length <= 6
        ? unclaimed.join(" or ")
        : `${unclaimed.slice(0, 5).join(", ")} or one of ${unclaimed.length - 5} others`;
    parts.push(`No cluster is mostly ${named}.`);
  }
  return parts.join(" ");
}
