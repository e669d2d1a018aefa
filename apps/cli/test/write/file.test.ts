import { spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UserError } from "../../src/errors.js";
import { openDraft, writeWhole } from "../../src/write/file.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bonmf-file-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function fails(action: Promise<unknown>): Promise<UserError> {
  const error = await action.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UserError);
  return error as UserError;
}

describe("writeWhole", () => {
  it("writes text and bytes, over an older file, and leaves nothing else", async () => {
    const path = join(folder, "a.csv");
    await writeWhole(path, "old and longer");
    await writeWhole(path, new TextEncoder().encode("new"));
    expect(await readFile(path, "utf8")).toBe("new");
    expect(await readdir(folder)).toEqual(["a.csv"]);
  });

  it.each(["two words.csv", "quote'\"s.csv", "日本 ü 🙂.csv", "-dash.csv", "#%&*?[x].csv", ".hidden", "new\nline"])(
    "takes the name %j",
    async (name) => {
      await writeWhole(join(folder, name), "x");
      expect(await readdir(folder)).toEqual([name]);
    },
  );

  it("keeps the older file's permissions", async () => {
    const path = join(folder, "a");
    await writeFile(path, "", { mode: 0o600 });
    await writeWhole(path, "x");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("writes through a link, which stays one", async () => {
    await mkdir(join(folder, "there"));
    await writeFile(join(folder, "there", "real"), "old");
    await symlink(join("there", "real"), join(folder, "link"));
    await writeWhole(join(folder, "link"), "new");
    expect(await readFile(join(folder, "there", "real"), "utf8")).toBe("new");
    expect(
      (await readdir(folder, { withFileTypes: true })).find((entry) => entry.name === "link")?.isSymbolicLink(),
    ).toBe(true);
  });

  it("says which folder is missing and how to make it", async () => {
    const { message, hint } = await fails(writeWhole(join(folder, "no such", "a.csv"), "x"));
    expect(message).toContain(`the folder ${join(folder, "no such")} does not exist`);
    expect(hint).toBe(`make it first: mkdir -p '${join(folder, "no such")}'`);
  });

  it("says that the name is a folder's, or lies in a file", async () => {
    expect((await fails(writeWhole(folder, "x"))).message).toContain("is a folder, not a file");
    expect((await fails(writeWhole(`${join(folder, "new")}/`, "x"))).message).toContain("is a folder, not a file");
    await writeFile(join(folder, "file"), "");
    expect((await fails(writeWhole(join(folder, "file", "a"), "x"))).message).toContain("is a file, not a folder");
  });

  it("says that a name is impossible or too long", async () => {
    expect((await fails(writeWhole(join(folder, "a\0b"), "x"))).message).toContain("zero character");
    const long = await fails(writeWhole(join(folder, "n".repeat(300)), "x"));
    expect(long.message).toContain("too long");
    expect(await readdir(folder)).toEqual([]);
  });

  it.skipIf(process.platform === "win32")("says that a folder may not be written in", async () => {
    const locked = join(folder, "locked");
    await mkdir(locked);
    await chmod(folder, 0o755);
    await chmod(locked, 0o555);
    const root = process.geteuid?.() === 0;
    // Root may write everywhere, so the test lets go of that for a moment.
    if (root) process.seteuid?.(65534);
    try {
      const { message, hint } = await fails(writeWhole(join(locked, "a"), "x"));
      expect(message).toBe(`${join(locked, "a")}: no permission to write in ${locked}`);
      expect(hint).toBe("choose a folder of your own");
    } finally {
      if (root) process.seteuid?.(0);
    }
  });

  it.skipIf(process.platform !== "linux")("says that the disk is full (/dev/full)", async () => {
    const { message } = await fails(writeWhole("/dev/full", "x"));
    expect(message).toBe("/dev/full: the disk is full; nothing was written");
  });

  it.skipIf(process.platform === "win32")("writes to a device without putting a file in its place", async () => {
    await writeWhole("/dev/null", "x");
    expect((await stat("/dev/null")).isCharacterDevice()).toBe(true);
  });
});

const mounted = process.platform === "linux" && process.geteuid?.() === 0 && canMount();

function canMount(): boolean {
  return spawnSync("unshare", ["-m", "true"]).status === 0;
}

describe.skipIf(!mounted)("on small and read-only disks (skipped where none can be mounted)", () => {
  /** Runs code that has `writeWhole` in a mount namespace of its own, with a disk of `options` at `folder`/disk. */
  async function run(options: string, code: string) {
    const script = join(folder, "script.mjs");
    const entry = fileURLToPath(new URL("../../src/write/file.ts", import.meta.url));
    const contents = `import { writeWhole } from ${JSON.stringify(entry)};\n${code}`;
    const stdin = { contents, resolveDir: folder, loader: "ts" as const };
    await build({ stdin, bundle: true, platform: "node", format: "esm", outfile: script, logLevel: "error" });
    const disk = join(folder, "disk");
    await mkdir(disk);
    const shell = `mount -t tmpfs -o ${options} tmpfs '${disk}' && cd '${disk}' && exec '${process.execPath}' '${script}'`;
    return spawnSync("unshare", ["-m", "sh", "-c", shell], { encoding: "utf8" });
  }

  it("leaves the older file when the disk fills up, and no part of the new one", async () => {
    const { stdout } = await run(
      "size=64k",
      `import { readdirSync, readFileSync } from "node:fs";
       await writeWhole("a", "old");
       const error = await writeWhole("a", new Uint8Array(1_000_000)).catch((e) => e);
       console.log(error.message, readFileSync("a", "utf8"), readdirSync(".").join());`,
    );
    expect(stdout).toBe("a: the disk is full; nothing was written old a\n");
  });

  it("tells a read-only disk", async () => {
    const { stdout } = await run("ro", `console.log((await writeWhole("a", "x").catch((e) => e)).message);`);
    expect(stdout).toBe("a: . is on a read-only file system\n");
  });
});

describe("openDraft", () => {
  it("shows the file only when it is committed", async () => {
    const path = join(folder, "a");
    const draft = await openDraft(path);
    await draft.write("one ");
    await draft.write(new TextEncoder().encode("two"));
    await expect(stat(path)).rejects.toThrow("ENOENT");
    await draft.commit();
    expect(await readFile(path, "utf8")).toBe("one two");
    await draft.discard();
    expect(await readdir(folder)).toEqual(["a"]);
  });

  it("leaves nothing when it is discarded", async () => {
    const draft = await openDraft(join(folder, "a"));
    await draft.write("x");
    await draft.discard();
    await draft.discard();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ["exit", "process.exit(3)", { status: 3, signal: null }],
    [
      "SIGTERM",
      "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)",
      { status: null, signal: "SIGTERM" },
    ],
    ["SIGINT", "process.kill(process.pid, 'SIGINT'); setInterval(() => {}, 1000)", { status: null, signal: "SIGINT" }],
    [
      "SIGINT that the program hears itself",
      "process.on('SIGINT', () => process.exit(130)); process.kill(process.pid, 'SIGINT'); setInterval(() => {}, 1000)",
      { status: 130, signal: null },
    ],
  ])("leaves nothing when the program ends by %s", async (_, end, expected) => {
    const script = join(folder, "script.mjs");
    const entry = fileURLToPath(new URL("../../src/write/file.ts", import.meta.url));
    const contents = `import { openDraft } from ${JSON.stringify(entry)};
      const draft = await openDraft("out");
      await draft.write("half");
      ${end};`;
    const stdin = { contents, resolveDir: folder, loader: "ts" as const };
    await build({ stdin, bundle: true, platform: "node", format: "esm", outfile: script, logLevel: "error" });
    const { status, signal } = spawnSync(process.execPath, [script], { cwd: folder });
    expect({ status, signal }).toEqual(expected);
    expect(await readdir(folder)).toEqual(["script.mjs"]);
  });
});
