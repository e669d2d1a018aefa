import { countDocuments, type Documents } from "bonmf-data";
import type { Data, ReadOptions } from "./data.js";
import type { FoundFile } from "./files/sources.js";
import type { ArrayKind } from "./formats/arrays.js";

/** The kinds that are neither tables nor pictures. */
export type PlainKind = ArrayKind | "text";

/** What does not pause, however long it takes: `runTask` runs it in a thread. Requests and results can be copied between threads. */
export const TASKS = {
  /** Reads files of one kind. */
  async plain(request: { kind: PlainKind; files: readonly FoundFile[] }, options: ReadOptions): Promise<Data> {
    const { kind, files } = request;
    if (kind === "text") return (await import("./formats/text.js")).readText(files, options);
    return (await import("./formats/arrays.js")).readArrays(kind, files, options);
  },

  /** Writes the sheet of an Excel file as CSV. */
  async sheet({ file, path }: { file: FoundFile; path: string }, options: ReadOptions) {
    return (await import("./formats/xlsx.js")).writeSheet(file, path, options);
  },

  async pnm(request: { bytes: Uint8Array; name: string; most: number }) {
    return (await import("./formats/images.js")).decodePnm(request);
  },

  /** Counts the words of a column. Who asks has the texts. */
  async words({ documents, column }: { documents: Documents; column: string }, options: ReadOptions) {
    const { texts: _, ...data } = await countDocuments(documents, options, column);
    return data;
  },
};

export type TaskName = keyof typeof TASKS;
export type Task<N extends TaskName> = (typeof TASKS)[N];
