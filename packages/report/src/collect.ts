import { type Matrix, type Model, OptionError } from "bonmf";
import { type Assignments, assignAll } from "./assignments.js";
import { compareClasses, findMajorities } from "./clusters.js";
import { findWorded, takeSamples } from "./documents.js";
import type { Choice, Cluster, Findings, Member, Run } from "./findings.js";
import { linkPrototypes } from "./hierarchy.js";
import { drawMap } from "./map.js";
import { type Merged, mergeClusters, mergeTopics } from "./merge.js";
import { nameObjective } from "./objective.js";
import { pause } from "./pause.js";
import { makePreviews } from "./previews.js";
import { describeRepeat } from "./repeat.js";
import type { ReportData } from "./report-data.js";
import { measureSilhouettes } from "./silhouettes.js";
import { describeTopics } from "./topics.js";

/**
 * Everything a report shows of a model and samples.
 *
 * @throws the signal's reason when it aborts
 */
export async function collectFindings(model: Model, given: ReportData, signal?: AbortSignal): Promise<Findings> {
  const { told, groups = null } = given;
  const all = told ? { ...given, told: { ...told, topics: mergeTopics(told.topics, groups) } } : given;
  const rows = findWorded(model, all);
  const data = rows ? takeSamples(all, rows) : all;
  const { X, labels = null, source = null } = data;
  const names = checkNames(data.clusterNames ?? null, model.k);
  const merged = mergeClusters(model, data.groups ?? null);
  const { numbers } = merged;
  const k = numbers.length;
  const assignments = await assignAll(merged, X, signal);
  const sizes = new Uint32Array(k);
  for (const cluster of assignments.clusters) sizes[cluster]++;
  await pause(signal);
  const majorities = labels && findMajorities(labels, assignments.clusters, k);
  const compared = labels && (await compareClasses(labels, assignments.clusters, majorities!, signal));
  const previews = await makePreviews(merged.model, data, assignments, signal);
  const cosines = new Float64Array(k);
  assignments.cosines.forEach((cosine, i) => {
    cosines[assignments.clusters[i]] += cosine;
  });
  const clusters: Cluster[] = [];
  const renumber = (member: Member) => (rows ? { ...member, sample: rows[member.sample] } : member);
  for (const [cluster, size] of sizes.entries()) {
    await pause(signal);
    const majority = majorities?.[cluster];
    const shown = previews.showCluster(cluster);
    clusters.push({
      cluster,
      number: numbers[cluster],
      name: names?.[numbers[cluster]] || null,
      size,
      share: size / all.X.samples,
      cosine: size > 0 ? cosines[cluster] / size : null,
      majority: majority ? { label: String(majority.label), share: majority.share } : null,
      ...shown,
      typical: shown.typical.map(renumber),
      borderline: shown.borderline.map(renumber),
    });
  }
  const silhouettes = measureSilhouettes(model, X, assignments.clusters, k);
  await pause(signal);
  const topics = previews.form === "text" ? describeTopics(model, all) : null;
  await pause(signal);
  const map = await drawMap(model, data, assignments, previews, compared?.places ?? null, signal);
  return {
    source,
    form: previews.form,
    samples: all.X.samples,
    wordless: all.X.samples - X.samples,
    features: X.features,
    run: await describeRun(model, merged, X, assignments, { samples: all.X.samples, rows }, signal),
    reference: data.reference ?? null,
    choice: data.choice ? describeChoice(data.choice) : null,
    clusters,
    hierarchy: linkPrototypes(merged.model.W, model.method),
    silhouettes,
    topics,
    pictures: previews.pictures,
    map: rows ? { ...map, samples: map.samples.map((i) => rows[i]) } : map,
    agreement: compared?.agreement ?? null,
    repeat: describeRepeat(model, data),
  };
}

/** Only what is shown: more may come with it. */
function describeChoice({ k, structure, runnerUp, reason, sampled, trials }: Choice): Choice {
  return {
    ...{ k, structure, runnerUp, reason, sampled },
    trials: trials.map(({ k, relativeError, separation, reference, contrast, stability, silhouette, heldOut }) => {
      return { k, relativeError, separation, reference, contrast, stability, silhouette, heldOut };
    }),
  };
}

function checkNames(names: readonly string[] | null, k: number): readonly string[] | null {
  if (names === null || names.length === k) return names;
  const message = `there are ${k} clusters but ${names.length} names: give one each, "" where there is none`;
  throw new OptionError("clusterNames", names, message);
}

async function describeRun(
  model: Model,
  merged: Merged,
  X: Matrix,
  { clusters, cosines }: Assignments,
  all: { readonly samples: number; readonly rows: Uint32Array | null },
  signal: AbortSignal | undefined,
): Promise<Run> {
  const trained = model.samples;
  const { labels } = merged.model;
  const same = trained === all.samples && clusters.every((cluster, i) => cluster === labels[all.rows?.[i] ?? i]);
  const whole = merged.model === model || model.codes.form === "real";
  const known = same && whole && model.explained !== null;
  const { explained, relativeError } = known ? model : await merged.measureErrors(X, clusters, signal);
  return {
    method: model.method,
    k: merged.model.k,
    fitted: model.k,
    seed: model.seed,
    scale: model.scaler.name,
    trained,
    same,
    stopped: model.stopped,
    converged: model.converged,
    explained: explained!,
    relativeError: same && whole ? model.relativeError : relativeError,
    objective: nameObjective(model),
    history: model.history.map(({ iteration, potential, relativeError, changed }) => ({
      iteration,
      potential,
      relativeError,
      changed,
    })),
    repairs: model.repairs,
    dead: model.codes.form === "real" ? model.dead.length : 0,
    apart: cosines.reduce((count, cosine) => count + (cosine === 0 ? 1 : 0), 0),
    cosine: cosines.reduce((sum, cosine) => sum + cosine, 0) / X.samples,
  };
}
