import { FormatError } from "../../src/errors.js";
import { Dense } from "../../src/matrix/dense.js";
import { AbortError } from "../../src/model/abort.js";
import { fit } from "../../src/model/fit.js";
import type { Model } from "../../src/model/model.js";
import { loadModel } from "../../src/model/model-file.js";
import type { FitOptions } from "../../src/model/options.js";
import { decodeTensors, encodeTensors, type Tensor } from "../../src/model/safetensors.js";
import { Random } from "../../src/random.js";

/** n × m random numbers, 0 or more. */
export function samples(n: number, m: number, seed: number): Dense {
  const random = new Random(seed);
  return new Dense(
    n,
    m,
    new Float64Array(n * m).map(() => (random.next() < 0.2 ? 0 : random.next() * 9)),
  );
}

export const X = samples(24, 4, 1);
export const fresh = samples(50, 4, 2);

/** The model a fit had reached when it was aborted in its second run: it carries the first. */
export async function interrupted(options: Partial<FitOptions>, data = X): Promise<Model> {
  const abort = new AbortController();
  const onStep: FitOptions["onStep"] = ({ restart, iteration }) => restart === 1 && iteration === 2 && abort.abort();
  try {
    await fit(data, { k: 3, seed: 5, restarts: 4, ...options, signal: abort.signal, onStep });
  } catch (error) {
    if (error instanceof AbortError && error.model?.best) return error.model;
    throw error;
  }
  throw new Error("the fit was not aborted");
}

export type Json = Record<string, unknown>;

/**
 * The file with other values in these places; undefined takes away what was there. Places are words: "tensors W",
 * "tensors W data 3", "metadata format", and for the JSON texts in the metadata "model stopped", "model settings k",
 * "classifier scheme".
 */
export function replace(bytes: Uint8Array, changes: Json): Uint8Array {
  const { tensors, metadata } = decodeTensors(bytes.slice());
  const { model, classifier, ...rest } = metadata;
  const parts: Json = { tensors: Object.fromEntries(tensors), metadata: rest, model: JSON.parse(model) };
  if (classifier) parts.classifier = JSON.parse(classifier);
  for (const [place, value] of Object.entries(changes)) {
    const keys = place.split(" ");
    const last = keys.pop()!;
    const holder = keys.reduce<Json>((at, key) => at[key] as Json, parts);
    if (value === undefined) delete holder[last];
    else holder[last] = value;
  }
  const texts = Object.entries({ model: parts.model, classifier: parts.classifier })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]);
  return encodeTensors(parts.tensors as Record<string, Tensor>, { ...rest, ...Object.fromEntries(texts) });
}

export function complaint(bytes: Uint8Array): string {
  try {
    loadModel(bytes, "a.bonmf");
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
  return "none";
}
