import { readdirSync } from "node:fs";
import { join } from "node:path";
import { bonmf, type Ended, makeFolder } from "../binary.js";

/** A user's cache of its own, whatever the system keeps it in. */
export function makeCache() {
  const home = makeFolder();
  const env = { HOME: home, XDG_CACHE_HOME: join(home, "cache"), LOCALAPPDATA: join(home, "cache") };
  const folder =
    process.platform === "darwin"
      ? join(home, "Library", "Caches", "bonmf", "packs")
      : join(home, "cache", "bonmf", "packs");
  return {
    env,
    folder,
    /** The files in it that end so. */
    list(ending: string): string[] {
      try {
        return readdirSync(folder).filter((name) => name.endsWith(ending));
      } catch {
        return [];
      }
    },
    run: (args: readonly string[], cwd: string, input?: string): Ended =>
      bonmf(args, { cwd, env, ...(input !== undefined && { input }) }),
  };
}
