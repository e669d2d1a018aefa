import { type FitOptions, fitScaler, Model, type Settings } from "bonmf";
import { findDistinctive } from "bonmf-report";
import type { Data } from "../data/build.js";
import type { Projection } from "./projection.js";
import type { PrototypeSnapshot } from "./protocol.js";

const WORDS = 6;

/**
 * A snapshot of a running fit: a model of the present prototypes over the watched samples.
 *
 * @param W k × m, in the scaler's units
 */
export function snapshot(
  { image, features }: Data,
  { scaler, watched }: Projection,
  options: FitOptions,
  W: Float64Array,
): { labels: Uint32Array; snapshot: PrototypeSnapshot } {
  const parts = {
    settings: { ...options, init: "given" } as unknown as Settings,
    W: W.slice(),
    codes: { form: "labels", k: options.k, labels: new Uint32Array(0), values: null },
    scaler: fitScaler("none", watched),
    featureNames: null,
    history: [],
    stopped: "aborted",
    repairs: 0,
    zeroSamples: 0,
    normSq: 0,
    restart: 0,
    best: null,
  } as const;
  const labels = Uint32Array.from(new Model({ ...parts, labels: new Uint32Array(0) }).predict(watched));
  const model = new Model({ ...parts, labels });
  const sizes = Array.from(model.counts);
  if (image) return { labels, snapshot: { sizes, pictures: toGreys(model), words: null } };
  const names = scaler.featureNames(features ?? Array.from({ length: scaler.features }, (_, f) => `#${f + 1}`));
  const words = findDistinctive(model, WORDS, names).map((list) => list.map(({ name }) => name));
  return { labels, snapshot: { sizes, pictures: null, words } };
}

/** Each prototype is scaled to its own range: those of some methods have no common unit. */
function toGreys({ W, k }: Model): Uint8Array {
  const m = W.features;
  const greys = new Uint8Array(k * m);
  for (let j = 0; j < k; j++) {
    const row = W.row(j);
    let most = 0;
    for (let f = 0; f < m; f++) most = Math.max(most, row[f]);
    for (let f = 0; f < m; f++) greys[j * m + f] = most === 0 ? 0 : Math.round((255 * row[f]) / most);
  }
  return greys;
}
