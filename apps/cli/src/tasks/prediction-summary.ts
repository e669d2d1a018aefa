import type { Label } from "bonmf";
import type { Style } from "../command.js";
import { count, percent, plural } from "../show/text.js";
import type { Prediction, Predictor } from "./predictor.js";

/** Counts predictions part by part, without keeping them. */
export class PredictionSummary {
  samples = 0;
  readonly #predictor: Predictor;
  readonly #clusters: Float64Array;
  readonly #given = new Map<Label, number>();
  #refused = 0;
  /** Of topics: those that have documents, and documents that are in none. */
  readonly #topics = new Set<number>();
  #apart = 0;
  /** Samples with a label, and those of them whose class is right. */
  #labelled = 0;
  #right = 0;
  /** For each label the number of samples in each cluster. */
  readonly #held = new Map<string, Float64Array>();

  constructor(predictor: Predictor) {
    this.#predictor = predictor;
    this.#clusters = new Float64Array(predictor.model.k);
    for (const label of predictor.classifier?.classes ?? []) this.#given.set(label, 0);
  }

  add(predictions: readonly Prediction[], labels: readonly Label[] | null): void {
    this.samples += predictions.length;
    predictions.forEach(({ cluster, label, topic }, i) => {
      if (topic === null) this.#apart++;
      else if (topic !== undefined) this.#topics.add(topic);
      if (label === null) this.#refused++;
      if (label !== null && label !== undefined) this.#given.set(label, (this.#given.get(label) ?? 0) + 1);
      if (cluster === null) return;
      this.#clusters[cluster]++;
      if (labels) this.#compare(cluster, label, labels[i]);
    });
  }

  /** Compares as strings: one file may have 1 where the other has "1". */
  #compare(cluster: number, given: Label | null | undefined, truth: Label): void {
    this.#labelled++;
    if (String(given) === String(truth) && given !== null) this.#right++;
    const held = this.#held.get(String(truth)) ?? new Float64Array(this.#clusters.length);
    held[cluster]++;
    this.#held.set(String(truth), held);
  }

  /** The share of samples whose class is right; null where there is no class or no label. */
  get accuracy(): number | null {
    return this.#predictor.classifier && this.#labelled > 0 ? this.#right / this.#labelled : null;
  }

  /** The share of samples in the majority class of their cluster. */
  get labelAccuracy(): number | null {
    if (this.#labelled === 0) return null;
    const most = this.#clusters.map((_, j) => Math.max(...[...this.#held.values()].map((held) => held[j])));
    return most.reduce((sum, size) => sum + size, 0) / this.#labelled;
  }

  toJson() {
    const { classifier, model } = this.#predictor;
    return {
      scheme: classifier?.scheme ?? null,
      method: model.method,
      k: model.k,
      samples: this.samples,
      counts: [...this.#clusters],
      classes: classifier ? [...this.#given].map(([label, given]) => ({ label, count: given })) : null,
      refused: classifier ? this.#refused : null,
      accuracy: this.accuracy,
      labelAccuracy: this.labelAccuracy,
    };
  }

  describe({ bold }: Style): string {
    const { classifier } = this.#predictor;
    const used = this.#clusters.filter((size) => size > 0).length;
    const found = this.samples - this.#apart;
    const parts = [
      this.#topics.size + this.#apart === 0
        ? `${plural(this.samples, "sample")} in ${plural(used, "cluster")}`
        : found === 0
          ? `${plural(this.#apart, "document")} in no topic`
          : `${plural(found, "document")} in ${plural(this.#topics.size, "topic")}`,
    ];
    if (this.#apart > 0 && found > 0) parts.push(`${count(this.#apart)} in no topic`);
    if (classifier) parts.push(`${plural([...this.#given.values()].filter((n) => n > 0).length, "class", "classes")}`);
    if (this.#refused > 0) parts.push(`${count(this.#refused)} refused`);
    const measured = this.accuracy ?? this.labelAccuracy;
    if (measured !== null) parts.push(bold(`${classifier ? "" : "label "}accuracy ${percent(measured, 2)}`));
    return parts.join(", ");
  }
}
