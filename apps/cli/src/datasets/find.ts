import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { UserError } from "../errors.js";
import { lookUp } from "./catalogue.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** The user's folder for what can be had again. */
export function cacheFolder(env: Environment = process.env, platform: string = process.platform): string {
  const home = env.HOME || env.USERPROFILE || homedir();
  if (platform === "win32") return join(env.LOCALAPPDATA || join(home, "AppData", "Local"), "bonmf");
  if (platform === "darwin") return join(home, "Library", "Caches", "bonmf");
  const cache = env.XDG_CACHE_HOME;
  // The standard says that relative ones are to be ignored.
  return join(cache && isAbsolute(cache) ? cache : join(home, ".cache"), "bonmf");
}

/** Where datasets are looked for, in order; new ones go to the first. */
export function dataFolders(env: Environment = process.env): string[] {
  const cache = join(cacheFolder(env), "datasets");
  return env.BONMF_DATA_DIR ? [resolve(env.BONMF_DATA_DIR), cache] : [cache];
}

/** "openml:61" → 61. */
export function openmlId(name: string): number | null {
  const match = /^openml:(\d{1,9})$/.exec(name);
  return match ? Number(match[1]) : null;
}

export function openmlPath(id: number): string {
  return join("openml", `${id}.arff`);
}

/** The file of a dataset on this machine, null where it is not; throws for a name that no dataset has. */
export function findDataset(name: string, env: Environment = process.env): string | null {
  const id = openmlId(name);
  const path = id === null ? lookUp(name).files[0].path : openmlPath(id);
  return findFile(path, env);
}

export function findFile(path: string, env: Environment = process.env): string | null {
  const paths = dataFolders(env).map((folder) => join(folder, ...path.split(/[/\\]/)));
  return paths.find((file) => existsSync(file)) ?? null;
}

/** A source as commands are given it: "@name" becomes the dataset's path, all else stays. */
export function resolveSource(source: string, env: Environment = process.env): string {
  if (!source.startsWith("@") || existsSync(source)) return source;
  const name = source.slice(1);
  const path = findDataset(name, env);
  if (path !== null) return path;
  throw new UserError(`the dataset ${name} is not on this machine`, `bonmf datasets get ${name}`);
}
