import { type FitOptions, fitScaler, Model, type Scaler, type Settings } from "bonmf";
import { findDistinctive } from "bonmf-report";
import type { Data } from "../data/build.js";
import { toGreys } from "./explore.js";
import type { Scaled } from "./projection.js";
import type { PrototypeSnapshot } from "./protocol.js";

const WORDS = 6;
const ARROWS = { high: "↑", low: "↓" } as const;

/**
 * A snapshot of a running fit: a model of the present prototypes over the watched samples.
 *
 * @param W k × m, in the scaler's units
 */
export function snapshot(
  { image, features, texts, told }: Data,
  { scaler, watched }: Scaled,
  options: FitOptions,
  W: Float64Array,
): { labels: Uint32Array; snapshot: PrototypeSnapshot } {
  const parts = {
    // The penalties of NMF, which its codes need.
    settings: { l1H: 0, l2H: 0, ...options, init: "given" } as unknown as Settings,
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
  if (image) return { labels, snapshot: { sizes, pictures: drawPrototypes(model, scaler), words: null } };
  // Numbers of a vector have no names.
  if (told) return { labels, snapshot: { sizes, pictures: null, words: null } };
  const names = scaler.featureNames(features ?? Array.from({ length: scaler.features }, (_, f) => `#${f + 1}`));
  // One more than is shown: the constant feature of lift is nothing that people know of.
  const found = findDistinctive(model, WORDS + 1, names, texts ? "high" : "both").map((list) =>
    list.filter(({ feature }) => scaler.name !== "lift" || feature < scaler.features).slice(0, WORDS),
  );
  const words = found.map((list) => list.map(({ name, direction }) => (texts ? name : `${name} ${ARROWS[direction]}`)));
  return { labels, snapshot: { sizes, pictures: null, words } };
}

/** Each prototype is scaled to its own range: those of some methods have no common unit. */
function drawPrototypes({ W, k }: Model, scaler: Scaler): Uint8Array {
  // Standardised pixels are no picture.
  const shown = scaler.name === "standard" || scaler.outputs !== scaler.features ? scaler.inverse(W) : W;
  const greys = new Uint8Array(k * shown.features);
  for (let j = 0; j < k; j++) greys.set(toGreys(shown.row(j)), j * shown.features);
  return greys;
}
