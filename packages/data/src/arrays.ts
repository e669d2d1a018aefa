import { readArff, readLibsvm, readMatrixMarket, readNpy } from "bonmf";
import { requireMemory } from "bonmf/io";
import type { Data, TableOptions } from "./data.js";
import type { Kind } from "./kinds.js";
import { toLabels } from "./labels.js";
import type { Loaded } from "./loaded.js";
import { matchFeatures } from "./match.js";
import { fillMissing } from "./missing.js";
import { flattenNpy } from "./npy.js";

/** The width of values in memory, whatever it was in the file: that of tables. */
const precision = "f32";

type Budget = Pick<TableOptions, "budget">;

/** Samples × features, or pictures as samples × rows × columns. */
export function loadNpy(bytes: Uint8Array, name: string, { budget }: Budget = {}): Loaded {
  const { bytes: flat, image } = flattenNpy(bytes);
  const { X } = readNpy(flat, { name, precision, maxBytes: budget });
  return { X, features: null, labels: null, ...(image && { recipe: { image } }) };
}

/** Matrix Market: samples × features. */
export function loadMarket(bytes: Uint8Array, name: string, { budget }: Budget = {}): Loaded {
  return { X: readMatrixMarket(bytes, { name, precision, maxBytes: budget }).X, features: null, labels: null };
}

/**
 * ARFF as it is: numbers, and one nominal attribute as the class.
 *
 * @param label the attribute that holds the classes; by default the last nominal one
 */
export function loadArff(bytes: Uint8Array, name: string, label?: string): Loaded {
  const { X, labels, featureNames } = readArff(bytes, { name, label, precision });
  return { X, features: featureNames ?? null, labels: labels ? toLabels(labels) : null };
}

/** LIBSVM files together: indices count from 1; where one is 0, they count from 0 in all of them. */
export function loadLibsvm(
  files: readonly { name: string; bytes: Uint8Array }[],
  zeroBased?: boolean,
  width?: number,
): Loaded[] {
  const load = (base: boolean) => files.map(({ name, bytes }) => loadLibsvmPart(bytes, name, base, width));
  try {
    return load(zeroBased ?? false);
  } catch (error) {
    if (zeroBased !== undefined || !(error instanceof Error && error.message.includes("has index 0"))) throw error;
    return load(true);
  }
}

/**
 * One file, or whole lines of one.
 *
 * @param width the number of features; by default the largest index
 */
export function loadLibsvmPart(bytes: Uint8Array, name: string, zeroBased: boolean, width?: number): Loaded {
  const { X, labels = [] } = readLibsvm(bytes, { name, zeroBased, precision, features: width });
  return {
    X,
    features: null,
    labels: toLabels(labels),
    recipe: { zeroBased },
    notes: zeroBased ? ["indices count from 0 here, as one is 0"] : [],
  };
}

/** A LIBSVM file without labels has 0 in their place. */
export function isUnlabelled({ labels }: Pick<Loaded, "labels">): boolean {
  return labels?.every((label) => label === 0) ?? true;
}

/** What a feature takes even where all samples are 0: ranges, means, a scaler. */
const FEATURE_BYTES = 64;

/** What the user asked for, applied to what was in the files. */
export function finishLoaded(kind: Kind, loaded: Loaded, name: string, options: TableOptions): Data {
  const m = loaded.X.features;
  if (options.budget !== undefined) requireMemory(FEATURE_BYTES * m, options.budget, `${name} claims ${m} features`);
  const whole = fillMissing(loaded, name, options);
  const { X, features, labels, ids, recipe, notes } = matchFeatures(whole, name, options.like);
  return {
    X,
    features,
    labels,
    ids: ids ?? null,
    weights: null,
    kind,
    recipe: options.like?.recipe ?? { kind, ...recipe },
    notes: notes ?? [],
  };
}
