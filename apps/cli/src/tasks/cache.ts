import { open } from "node:fs/promises";
import { type CacheFile, clearCacheFiles, listCacheFiles, packFolder } from "../cache/cache-folder.js";
import { type Header, readHeader } from "../cache/pack-header.js";
import type { Call } from "../command.js";
import { UserError } from "../errors.js";
import { escapeControls } from "../show/escape.js";
import { bytes, count, table } from "../show/text.js";

const ACTIONS = { list, clear } as const;

export async function run(call: Call): Promise<void> {
  const [name = "list", ...more] = call.args;
  if (!Object.hasOwn(ACTIONS, name) || more.length > 0) {
    throw new UserError(`bonmf cache has no ${JSON.stringify([name, ...more].join(" "))}`, "choose list or clear");
  }
  await ACTIONS[name as keyof typeof ACTIONS](call);
}

const KINDS: Readonly<Record<CacheFile["what"], string>> = {
  pack: "samples",
  checkpoint: "an interrupted fit",
  rest: "left over from a killed process",
};

async function list({ terminal }: Call): Promise<void> {
  const listed = await Promise.all(
    (await listCacheFiles()).map(async (file) => ({
      ...file,
      header: file.what === "pack" ? await openHeader(file.path) : null,
    })),
  );
  if (terminal.json) {
    const files = listed.map(({ header, ...file }) => ({
      ...file,
      source: header?.source ?? null,
      ...shapeOf(header),
    }));
    terminal.out(JSON.stringify({ folder: packFolder(), files }));
    return;
  }
  if (listed.length === 0) {
    terminal.out(`no packed samples in ${escapeControls(packFolder())}`);
    return;
  }
  const columns = [
    { title: "what" },
    { title: "size", right: true },
    { title: "samples", right: true },
    { title: "features", right: true },
    { title: "used" },
    { title: "source" },
  ];
  const rows = listed.map(({ what, bytes: size, used, header }) => [
    KINDS[what],
    bytes(size),
    header ? count(header.samples) : "–",
    header ? count(header.scaler.features) : "–",
    used.toISOString().slice(0, 16).replace("T", " "),
    escapeControls(header?.source ?? "–"),
  ]);
  terminal.out(table(columns, rows, terminal.style));
  terminal.note(`these files are in ${packFolder()}; bonmf cache clear removes them`);
}

/** Null where the pack is damaged, or was removed meanwhile. */
async function openHeader(path: string): Promise<Header | null> {
  const file = await open(path).catch(() => null);
  const header = file && (await readHeader(file).catch(() => null));
  await file?.close();
  return header;
}

function shapeOf(header: Header | null) {
  return { samples: header?.samples ?? null, features: header?.scaler.features ?? null };
}

async function clear({ terminal }: Call): Promise<void> {
  const listed = await listCacheFiles();
  await clearCacheFiles();
  const freed = listed.reduce((sum, file) => sum + file.bytes, 0);
  const folder = packFolder();
  terminal.out(
    terminal.json ? JSON.stringify({ cleared: folder, bytes: freed }) : `cleared ${folder} (${bytes(freed)})`,
  );
}
