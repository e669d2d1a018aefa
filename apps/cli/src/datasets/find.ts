import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, posix, resolve, win32 } from "node:path";
import { UserError } from "../errors.js";
import { lookUp } from "./catalogue.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** The user's cache folder. */
export function cacheFolder(env: Environment = process.env, platform: string = process.platform): string {
  const { isAbsolute, join } = platform === "win32" ? win32 : posix;
  const cache = env.XDG_CACHE_HOME;
  // The XDG standard ignores relative paths.
  if (cache && isAbsolute(cache)) return join(cache, "bonmf");
  // HOME comes last on Windows: shells of other systems set it there to paths of their own.
  if (platform === "win32") {
    return join(env.LOCALAPPDATA || join(env.USERPROFILE || env.HOME || homedir(), "AppData", "Local"), "bonmf");
  }
  const home = env.HOME || homedir();
  return platform === "darwin" ? join(home, "Library", "Caches", "bonmf") : join(home, ".cache", "bonmf");
}

/** The folders to search, in order; downloads go to the first. */
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

/** The file of a dataset, null where it is not on this machine; throws for an unknown name. */
export function findDataset(name: string, env: Environment = process.env): string | null {
  const id = openmlId(name);
  const path = id === null ? lookUp(name).files[0].path : openmlPath(id);
  return findFile(path, env);
}

export function findFile(path: string, env: Environment = process.env): string | null {
  const paths = dataFolders(env).map((folder) => join(folder, ...path.split(/[/\\]/)));
  return paths.find((file) => existsSync(file)) ?? null;
}

/** Replaces "@name" by the path of the dataset. */
export function resolveSource(source: string, env: Environment = process.env): string {
  if (!source.startsWith("@") || existsSync(source)) return source;
  const name = source.slice(1);
  const path = findDataset(name, env);
  if (path !== null) return path;
  throw new UserError(`the dataset ${name} is not on this machine`, `bonmf datasets get ${name}`);
}
