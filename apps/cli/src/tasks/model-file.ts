import { readFile } from "node:fs/promises";
import type { Classifier, Model, Topics } from "bonmf";
import { readRecipe } from "bonmf-data/recipe";
import { UserError } from "../errors.js";
import type { ReadOptions, Recipe } from "../read/data.js";

/** Endings of tables, arrays and pages, which a model is not. */
const OTHERS = /\.(csv|tsv|tab|txt|jsonl?|ndjson|parquet|pq|arrow|feather|xlsx|npy|mtx|md|html?|pdf)(\.gz)?$/i;

/**
 * Refuses the name of a table or a page for a model.
 *
 * @param remedy where the table or page is written instead, as in "--predictions FILE writes the answers"
 */
export function checkModelName(path: string, remedy?: string): void {
  if (!OTHERS.test(path)) return;
  const name = path.replace(OTHERS, ".safetensors");
  throw new UserError(
    `${path}: --out writes a model, which is a safetensors file`,
    `name it ${name}${remedy === undefined ? "" : `; ${remedy}`}`,
  );
}

/** Reads a model file; the library reports errors in its content. */
export async function openModel(path: string): Promise<Model> {
  const { loadModel } = await import("bonmf");
  return loadModel(await readModel(path), path);
}

/** A model file with what it has beside the model. */
export interface Whole {
  readonly model: Model;
  readonly classifier: Classifier | null;
  readonly topics: Topics | null;
  /** In bytes. */
  readonly size: number;
}

/** Reads a model file, and the classifier or the topics if it has them. */
export async function openWhole(path: string): Promise<Whole> {
  const { loadClassifier, loadModel } = await import("bonmf");
  const bytes = await readModel(path);
  const model = loadModel(bytes, path);
  const { classifier } = readMetadata(bytes);
  return {
    model,
    classifier: classifier === undefined ? null : await loadClassifier(bytes, path),
    topics: await openTopics(bytes, path),
    size: bytes.length,
  };
}

/** Null for a model without topics. */
export async function openTopics(bytes: Uint8Array, path: string): Promise<Topics | null> {
  const { BonmfError, loadTopics } = await import("bonmf");
  try {
    return loadTopics(bytes, undefined, path);
  } catch (error) {
    if (error instanceof BonmfError && error.code === "no-topics") return null;
    throw error;
  }
}

/** That of a safetensors file that was already checked. */
function readMetadata(bytes: Uint8Array): { classifier?: string } {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  return JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))).__metadata__;
}

/** The bytes of a model file; of a project of the studio, those of the run that was shown. */
export async function readModel(path: string): Promise<Uint8Array> {
  const bytes = await readBytes(path);
  // Archives begin so; nothing is loaded for model files.
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    const { isProject } = await import("bonmf-data");
    return isProject(bytes) ? (await import("./project-file.js")).takeModel(bytes, path) : bytes;
  }
  if (isOther(bytes)) {
    const remedy = "bonmf fit, topics and classify write one with --out; it comes first, then the data";
    throw new UserError(`${path} is not a model file`, remedy);
  }
  return bytes;
}

/** The library refuses longer headers. */
const LONGEST_HEADER = 100_000_000n;

/** A model file begins with the length of its header, and no header is as long as the first letters of other files say. */
function isOther(bytes: Uint8Array): boolean {
  return bytes.length >= 8 && new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true) > LONGEST_HEADER;
}

export async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new UserError(`there is no model file ${path}`, "bonmf fit … --out writes one");
    if (code === "EISDIR") throw new UserError(`${path} is a folder, not a model file`);
    if (code === "EACCES") throw new UserError(`${path} cannot be read: permission denied`);
    throw error;
  }
}

/** How the model's samples were read; null for a model that the command did not fit. */
export function recipeOf({ tags }: Model): Recipe | null {
  if (tags.recipe === undefined) return null;
  const recipe = readRecipe(tags.recipe);
  if (recipe) return recipe;
  throw new UserError('the model\'s tag "recipe", which says how its samples were read, is damaged');
}

/** Names of the clusters, "" for none; null where the model has no names. The studio writes them. */
export function namesOf({ tags, k }: Model): readonly string[] | null {
  if (tags.clusterNames === undefined) return null;
  try {
    const names: unknown = JSON.parse(tags.clusterNames);
    if (Array.isArray(names) && names.length === k && names.every((name) => typeof name === "string")) return names;
  } catch {
    // Reported below.
  }
  throw new UserError(`the model's tag "clusterNames" is damaged: it is not a JSON list of ${k} names`);
}

/** Clusters that a person merged, see `mergeClusters` of bonmf-report; null where none are. The studio writes them. */
export function groupsOf({ tags, k }: Model): readonly number[] | null {
  if (tags.clusterGroups === undefined) return null;
  try {
    const groups: unknown = JSON.parse(tags.clusterGroups);
    if (Array.isArray(groups) && groups.length === k && groups.every((g, j) => groups[g] === g && g <= j))
      return groups;
  } catch {
    // Reported below.
  }
  throw new UserError(`the model's tag "clusterGroups" is damaged: it is not a JSON list of ${k} lowest numbers`);
}

/**
 * Options for reading more samples into the features of a model.
 *
 * @param words that documents are told by, where the features are vectors
 */
export function likeModel(model: Model, words: readonly string[] | null = null): Partial<ReadOptions> {
  const recipe = recipeOf(model);
  const features = words ?? model.featureNames;
  const masked = model.settings.missing === "mask";
  const count = recipe?.words?.length ?? words?.length ?? model.scaler.features;
  return recipe ? { like: { features, recipe, count, masked } } : {};
}
