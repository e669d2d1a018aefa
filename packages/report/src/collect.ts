import { type Matrix, type Model, OptionError } from "bonmf";
import { type Assignments, assignAll } from "./assignments.js";
import { compareClasses, findMajorities } from "./clusters.js";
import type { Cluster, Findings, Run } from "./findings.js";
import { drawMap } from "./map.js";
import { makePreviews } from "./previews.js";
import { describeRepeat } from "./repeat.js";
import type { ReportData } from "./report-data.js";

/** Everything a report shows of a model and samples. */
export function collectFindings(model: Model, data: ReportData): Findings {
  const { X, labels = null, source = null, command = null } = data;
  const { k } = model;
  const names = checkNames(data.clusterNames ?? null, k);
  const assignments = assignAll(model, X);
  const sizes = new Uint32Array(k);
  for (const cluster of assignments.clusters) sizes[cluster]++;
  const majorities = labels && findMajorities(labels, assignments.clusters, k);
  const compared = labels && compareClasses(labels, assignments.clusters, majorities!);
  const previews = makePreviews(model, data, assignments);
  const cosines = new Float64Array(k);
  assignments.cosines.forEach((cosine, i) => {
    cosines[assignments.clusters[i]] += cosine;
  });
  const clusters = Array.from(sizes, (size, cluster): Cluster => {
    const majority = majorities?.[cluster];
    return {
      cluster,
      name: names?.[cluster] || null,
      size,
      share: size / X.samples,
      cosine: size > 0 ? cosines[cluster] / size : null,
      majority: majority ? { label: String(majority.label), share: majority.share } : null,
      ...previews.showCluster(cluster),
    };
  });
  return {
    source,
    form: previews.form,
    samples: X.samples,
    features: X.features,
    run: describeRun(model, X, assignments),
    reference: data.reference ?? null,
    clusters,
    pictures: previews.pictures,
    map: drawMap(model, data, assignments, previews, compared?.places ?? null),
    agreement: compared?.agreement ?? null,
    repeat: describeRepeat(model, command),
  };
}

function checkNames(names: readonly string[] | null, k: number): readonly string[] | null {
  if (names === null || names.length === k) return names;
  const message = `there are ${k} clusters but ${names.length} names: give one each, "" where there is none`;
  throw new OptionError("clusterNames", names, message);
}

function describeRun(model: Model, X: Matrix, { clusters, cosines }: Assignments): Run {
  const trained = model.samples;
  const same = trained === X.samples && clusters.every((cluster, i) => cluster === model.labels[i]);
  const known = same && model.explained !== null;
  const { explained, relativeError } = known ? model : model.measureErrors(X);
  return {
    method: model.method,
    k: model.k,
    seed: model.seed,
    scale: model.scaler.name,
    trained,
    same,
    stopped: model.stopped,
    converged: model.converged,
    explained: explained!,
    relativeError: same ? model.relativeError : relativeError,
    history: model.history.map(({ iteration, potential, relativeError, changed }) => ({
      iteration,
      potential,
      relativeError,
      changed,
    })),
    repairs: model.repairs,
    apart: cosines.reduce((count, cosine) => count + (cosine === 0 ? 1 : 0), 0),
    cosine: cosines.reduce((sum, cosine) => sum + cosine, 0) / X.samples,
  };
}
