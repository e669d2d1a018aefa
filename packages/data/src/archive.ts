import { isPicture, isProse, kindByName } from "./detect-kind.js";
import { UserError } from "./errors.js";
import { listNames } from "./labels.js";
import { askNearest } from "./nearest.js";

/** What is to be read of an archive. */
export interface Members {
  /** Paths inside it. */
  readonly paths: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Chooses what to read of a zip archive: the pictures, else the tables, else the texts, else all there is.
 *
 * @param paths of its files
 * @param wanted the one to read, by its path or its name
 */
export function chooseMembers(paths: readonly string[], archive: string, wanted?: string): Members {
  const files = paths.filter((path) => !path.endsWith("/") && !isHidden(path));
  const unsafe = files.find((path) => /^[\\/]|[\\:\0]/.test(path) || path.split("/").includes(".."));
  if (unsafe !== undefined) {
    throw new UserError(`${archive}: the path ${JSON.stringify(unsafe)} leads out of the archive`, "make it again");
  }
  if (files.length === 0) throw new UserError(`${archive} is an archive without files`);
  if (wanted !== undefined) return { paths: [findMember(files, archive, wanted)], notes: [] };
  const groups = [isPicture, isTable, isProse].map((is) => files.filter(is));
  const chosen = groups.find((group) => group.length > 0) ?? files;
  const others = files.filter((path) => !chosen.includes(path));
  const notes = others.length > 0 ? [`${archive}: did not read ${listNames(others)} (--member chooses)`] : [];
  if (chosen.length > 1 && chosen.every(isTable)) {
    notes.unshift(`${archive}: read ${listNames(chosen)} as one table (--member chooses one)`);
  }
  return { paths: chosen, notes };
}

function findMember(files: readonly string[], archive: string, wanted: string): string {
  const exact = files.filter((path) => path === wanted);
  const found = exact.length > 0 ? exact : files.filter((path) => path.endsWith(`/${wanted}`));
  if (found.length === 1) return found[0];
  const what = found.length === 0 ? "no file" : `${found.length} files`;
  throw new UserError(
    `${archive} holds ${what} ${JSON.stringify(wanted)} for --member`,
    found.length > 1
      ? `name one with its folder: ${listNames(found)}`
      : (askNearest(wanted, files) ?? `it holds ${listNames(files)}`),
  );
}

function isTable(path: string): boolean {
  const kind = kindByName(path);
  return (kind !== undefined && kind !== "images") || /\.(data?|npy)(\.gz)?$/i.test(path);
}

/** What macOS and others add. */
function isHidden(path: string): boolean {
  return path.split("/").some((part) => part.startsWith(".") && part !== "..") || path.startsWith("__MACOSX/");
}
