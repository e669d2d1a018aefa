import type { Item } from "../data/source.js";

/** The files of a drop, with those of dropped folders. */
export async function listDropped({ items, files }: DataTransfer): Promise<Item[]> {
  // Entries must be read before the first await.
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return toItems(files);
  return (await Promise.all(entries.map((entry) => listEntry(entry)))).flat();
}

/** Files from a picker; of a folder, their paths inside it. */
export function toItems(files: Iterable<File>): Item[] {
  return sort(
    [...files].map((file) => ({
      name: file.name,
      ...(file.webkitRelativePath && { path: file.webkitRelativePath }),
      blob: file,
    })),
  );
}

async function listEntry(entry: FileSystemEntry): Promise<Item[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ name: file.name, path: entry.fullPath.slice(1), blob: file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: Item[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return sort(found);
    for (const child of part) found.push(...(await listEntry(child)));
  }
}

function sort(items: Item[]): Item[] {
  const visible = items.filter(({ name }) => !name.startsWith("."));
  return visible.sort((a, b) => ((a.path ?? a.name) < (b.path ?? b.name) ? -1 : 1));
}
