import type { Stopped } from "bonmf";
import { warnOfChance } from "../chance.js";
import type { Findings, Measures, TopicFindings } from "../findings.js";
import { element } from "./element.js";
import { describeClusters } from "./headline.js";
import { isolate } from "./letters.js";
import { type Nouns, nounsOf, titleOf } from "./nouns.js";
import { count, decimal, hundredths, percent, plural } from "./numbers.js";
import { showTiles, type Tile } from "./tiles.js";

/** The main figures. */
export function showStats(findings: Findings): HTMLElement {
  return showTiles(listStats(findings));
}

export function listStats(findings: Findings): Tile[] {
  const { samples, wordless, features, run, agreement } = findings;
  const nouns = nounsOf(findings);
  const tiles: Tile[] = [
    [
      titleOf(nouns.sample),
      count(samples),
      joinNotes(plural(features, nouns.feature), wordless > 0 ? `${count(wordless)} without any, in no topic` : null),
    ],
    [titleOf(nouns.cluster), count(run.k), run.k < run.fitted ? describeClusters(run, nouns) : run.method],
    ...(findings.topics ? measureTopics(findings.topics) : measureClusters(findings)),
  ];
  if (agreement) {
    tiles.push([
      "In majority class",
      percent(agreement.labelAccuracy),
      `baseline ${percent(agreement.baseline.share)}`,
    ]);
    tiles.push(["NMI", agreement.nmi.toFixed(3), `ARI ${agreement.ari.toFixed(3)}`]);
  } else
    tiles.push(["Iterations", count(run.history.length), run.converged ? "converged" : "stopped before converging"]);
  return tiles;
}

/** Of texts, explained shares, cosines and silhouettes are small however good the topics are: words tell more. */
function measureTopics({ npmi, diversity }: TopicFindings): Tile[] {
  const known = npmi.filter((value) => value !== null);
  const coherence = known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  return [
    [
      "Coherence",
      hundredths(coherence),
      "NPMI, mean of the topics: 1 their words always come together, 0 as by chance",
    ],
    ["Diversity", percent(diversity, 0), "different words among the ten most telling of every topic"],
  ];
}

function measureClusters(findings: Findings): Tile[] {
  const { samples, run, silhouettes } = findings;
  const closeness = joinNotes("mean cosine to the prototype", besideChance(findings, "cosine", decimal));
  const tiles: Tile[] = [
    ["Explained", percent(run.explained), describeErrors(findings)],
    ["Closeness", decimal(run.cosine), closeness],
  ];
  if (silhouettes) {
    const some = silhouettes.samples < samples ? `mean of ${plural(silhouettes.samples, "sample")}` : "mean";
    const beside = besideChance(findings, "silhouette", decimal);
    tiles.push(["Silhouette", decimal(silhouettes.mean), joinNotes(some, beside)]);
  }
  return tiles;
}

/** What data without groups gives. Where it stands for some of the samples, so does the figure it is to be compared with. */
function besideChance(findings: Findings, name: keyof Measures, show: (value: number) => string): string | null {
  const { samples, run, reference } = findings;
  // It was measured for the clusters found.
  if (!reference || run.k < run.fitted) return null;
  const chance = show(reference.chance[name]);
  if (reference.samples >= samples) return `data without groups: ${chance}`;
  return `of ${plural(reference.samples, nounsOf(findings).sample)}: ${show(reference.own[name])}, without groups: ${chance}`;
}

function describeErrors(findings: Findings): string {
  const { relativeError, objective, history } = findings.run;
  const error = `relative error ${decimal(relativeError)}`;
  const beside = besideChance(findings, "explained", percent) ?? "one prototype: 0 %";
  if (!objective) return joinNotes(beside, error);
  const lowered = `What was lowered is the ${objective}: ${decimal(history[history.length - 1].potential)}`;
  return joinNotes("of the squared error", beside, `${error}. ${lowered}`);
}

function joinNotes(...notes: (string | null)[]): string {
  return notes.filter((note) => note !== null).join("; ");
}

const ENDS: Readonly<Record<Exclude<Stopped, "fixed-point">, string>> = {
  tolerance: "until it settled",
  cycle: "until it went round in a circle between equally good answers",
  iterations: "which is the limit it was given: more might improve it",
  aborted: "and was then interrupted",
};

function describeEnd({ stopped }: Findings["run"], { sample, cluster }: Nouns): string {
  return stopped === "fixed-point" ? `until no ${sample} changed its ${cluster} any more` : ENDS[stopped];
}

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

function describeFit(findings: Findings): string {
  const { samples, wordless, features, run, reference } = findings;
  const nouns = nounsOf(findings);
  const shape = `${plural(samples - wordless, nouns.sample)} of ${plural(features, nouns.feature)}`;
  const rounds = plural(run.history.length, "iteration");
  const found = run.same
    ? `${shape} were sorted into ${describeClusters(run, nouns)}. It took ${rounds}, ${describeEnd(run, nouns)}.`
    : `${shape} were sorted by a model of ${describeClusters(run, nouns)}, found in ${count(run.trained)} other ` +
      `${nouns.sample}s in ${rounds}, ${describeEnd(run, nouns)}.`;
  const share = percent(run.explained, run.explained < 0.1 ? 1 : 0);
  const chance =
    reference?.better && run.k === run.fitted
      ? reference.samples < samples
        ? ` (of ${plural(reference.samples, nouns.sample)}: ${percent(reference.own.explained)}, and ` +
          `${percent(reference.chance.explained)} of as many drawn without groups)`
        : `; in data without groups they would explain ${percent(reference.chance.explained)}`
      : "";
  return run.k === 1 || findings.topics
    ? found
    : `${found} Its ${run.k} prototypes explain ${share} of what a single prototype for all ${nouns.sample}s leaves unexplained${chance}.`;
}

function describeSizes(findings: Findings): string {
  const { clusters, run, wordless } = findings;
  const nouns = nounsOf(findings);
  const bySize = clusters.filter(({ size }) => size > 0).sort((a, b) => b.size - a.size);
  const name = (j: number) => quoteList(clusters[j].name) ?? `${nouns.cluster} ${clusters[j].number}`;
  const parts = [describeShares(bySize, name, nouns)];
  const tight = bySize.filter(({ size }) => size > 1).sort((a, b) => b.cosine! - a.cosine!);
  if (tight.length > 2) {
    parts.push(
      `Members are most alike in ${name(tight[0].cluster)} (mean cosine ${decimal(tight[0].cosine)}) and least in ` +
        `${name(tight[tight.length - 1].cluster)} (${decimal(tight[tight.length - 1].cosine)}).`,
    );
  }
  const empty = clusters.length - bySize.length;
  if (empty > 0) parts.push(`${plural(empty, `${nouns.cluster} has`, `${nouns.cluster}s have`)} no members.`);
  if (run.dead > 0) {
    parts.push(`${plural(run.dead, "component is", "components are")} used by no ${nouns.sample}: fewer say as much.`);
  }
  if (wordless > 0) {
    parts.push(
      `${plural(wordless, "document holds", "documents hold")} none of the words and ${wordless === 1 ? "is" : "are"} in no topic.`,
    );
  }
  if (run.apart > 0) {
    parts.push(
      `${plural(run.apart, `${nouns.sample} has`, `${nouns.sample}s have`)} nothing in common with any prototype.`,
    );
  }
  return parts.join(" ");
}

/** Names of topics are lists of words. */
function quoteList(name: string | null): string | null {
  return name?.includes(",") ? `“${isolate(name)}”` : name && isolate(name);
}

/** @param bySize the largest first, none of them empty */
export function describeShares(
  bySize: Findings["clusters"],
  name: (cluster: number) => string,
  { sample, cluster }: Nouns,
): string {
  const [largest, smallest] = [bySize[0], bySize[bySize.length - 1]];
  if (bySize.length === 1) return `All ${sample}s are in one ${cluster}.`;
  if (largest.size === smallest.size) {
    return `Each of the ${bySize.length} ${cluster}s holds ${percent(largest.share)} of the ${sample}s.`;
  }
  return (
    `The largest, ${name(largest.cluster)}, holds ${percent(largest.share)} of the ${sample}s, the smallest, ` +
    `${name(smallest.cluster)}, ${percent(smallest.share)}.`
  );
}

function describeClasses(findings: Findings): string | null {
  const { agreement, run } = findings;
  if (!agreement) return null;
  const { sample, cluster } = nounsOf(findings);
  const { classes, labelAccuracy, baseline, clusteringAccuracy, nmi, table } = agreement;
  const unclaimed = table.filter(({ clusters }) => clusters.length === 0).map(({ label }) => label);
  const parts = [
    `Compared with the ${plural(classes.length, "class", "classes")} that were given and not used: ` +
      `${percent(labelAccuracy)} of the ${sample}s are in a ${cluster} where their class is the most frequent ` +
      `(calling everything ${baseline.label} would get ${percent(baseline.share)}).`,
  ];
  if (clusteringAccuracy !== null && classes.length > 1 && run.k > 1) {
    parts.push(`With one ${cluster} for each class it is ${percent(clusteringAccuracy)}; NMI is ${nmi.toFixed(3)}.`);
  }
  if (unclaimed.length > 0) {
    const named =
      unclaimed.length <= 6
        ? unclaimed.join(" or ")
        : `${unclaimed.slice(0, 5).join(", ")} or one of ${unclaimed.length - 5} others`;
    parts.push(`No ${cluster} is mostly ${named}.`);
  }
  return parts.join(" ");
}
