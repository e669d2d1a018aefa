import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BonmfError, loadModel, loadTopics, saveModel, saveTopics, type Tags } from "bonmf";
import { isReferred, type ProjectSource, readProject } from "bonmf-data";
import type { Call, Options } from "../command.js";
import { UserError } from "../errors.js";
import type { Scratch } from "../read/files/scratch.js";
import { zlib } from "../read/files/zip.js";

/** The model of the run that was shown in the studio, with the names and merges of its clusters as tags. */
export async function takeModel(bytes: Uint8Array, path: string): Promise<Uint8Array> {
  const { runs, current } = await readProject(bytes, path, zlib);
  const run = runs.find(({ id }) => id === current) ?? runs.at(-1);
  if (!run) throw new UserError(`the project ${path} has no run`, "open it in the studio and press Fit");
  const { groups, names, model } = run;
  // A merged cluster has one name, which all its clusters have as tags.
  const tags = {
    clusterNames: JSON.stringify(groups.map((group) => names[group])),
    clusterGroups: JSON.stringify(groups),
  };
  return tagModel(model, path, tags);
}

/** Topics stay topics. */
function tagModel(bytes: Uint8Array, path: string, tags: Tags): Uint8Array {
  try {
    return saveTopics(loadTopics(bytes, undefined, path), tags);
  } catch (error) {
    if (error instanceof BonmfError && error.code === "no-topics") return saveModel(loadModel(bytes, path), tags);
    throw error;
  }
}

/**
 * A call that reads the samples of a project: those in it, or the files it names, beside it; and their names for people.
 * Of files in a folder the folder is read.
 */
export async function readFromProject(
  call: Call,
  bytes: Uint8Array,
  path: string,
  scratch: Scratch,
): Promise<{ reading: Call; names: string[] }> {
  const { data, choice } = await readProject(bytes, path, zlib);
  if ("example" in data) {
    throw new UserError(
      `${path} is about an example that the studio makes up`,
      `save its data in the studio under Export, then: bonmf report ${path} DATA`,
    );
  }
  const folder = await scratch.place();
  const vectors = data.vectors && isChosen(choice, data.vectors.name) ? data.vectors : null;
  for (const file of [...data.files, ...(vectors ? [vectors] : [])]) await provide(file, path, folder);
  const tops = [...new Set(data.files.map((file) => listParts(file)[0]))];
  const root = data.files[0]?.bytes ? folder : dirname(path);
  const named = data.part ? setOption(call.options, data.part.what, data.part.name) : call.options;
  const beside = vectors ? setOption(named, "vectors", join(root, ...listParts(vectors))) : named;
  const options = followLabel(beside, choice);
  return { reading: { ...call, args: tops.map((top) => join(root, top)), options }, names: tops };
}

/** Whether the studio took vectors from a file of this name. */
function isChosen(choice: unknown, name: string): boolean {
  return typeof choice === "object" && choice !== null && "vectors" in choice && choice.vectors === name;
}

/** The label that a person chose in the studio; null: none. */
function followLabel(options: Options, choice: unknown): Options {
  const label = choice !== null && typeof choice === "object" && "label" in choice ? choice.label : undefined;
  if (typeof label === "string") return setOption(options, "label", label);
  if (label !== null || options.string("label") !== undefined) return options;
  return {
    string: (name) => options.string(name),
    number: (name) => options.number(name),
    flag: (name) => name === "no-label" || options.flag(name),
    list: (name) => options.list(name),
  };
}

/** Writes a file that is in the project; one that it names must be there. */
async function provide(file: ProjectSource, project: string, folder: string): Promise<void> {
  const inside = listParts(file);
  if (file.bytes) {
    const place = join(folder, ...inside);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, file.bytes);
    return;
  }
  const place = join(dirname(project), ...inside);
  const found = await readFile(place).catch(() => null);
  if (found && isReferred(file, found, zlib)) return;
  throw new UserError(
    `${project} refers to ${file.path ?? file.name}, ${found ? "but the file beside it is another" : "which is not beside it"}`,
    `name the samples: bonmf report ${project} DATA`,
  );
}

/** No name leads out of a folder. */
function listParts({ path, name }: ProjectFileName): string[] {
  const parts = (path ?? name).split(/[\\/]/).filter((part) => part !== "" && part !== "." && part !== "..");
  return parts.length > 0 ? parts : ["data"];
}

type ProjectFileName = Pick<ProjectSource, "path" | "name">;

function setOption(options: Options, wanted: string, value: string): Options {
  return {
    string: (name) => options.string(name) ?? (name === wanted ? value : undefined),
    number: (name) => options.number(name),
    flag: (name) => options.flag(name),
    list: (name) => options.list(name),
  };
}
