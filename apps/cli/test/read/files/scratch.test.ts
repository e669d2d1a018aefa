import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { copyFile, link, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { standIn } from "../../../src/read/files/scratch.js";

const folder = mkdtempSync(join(tmpdir(), "bonmf-scratch-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const source = join(folder, "source.csv");
writeFileSync(source, "a,b\n1,2\n");

const refuse = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

describe("a second name for a file", () => {
  it.each([
    ["is a symbolic link", { symlink, link: refuse("EXDEV"), copyFile: refuse("EIO") }],
    ["is a hard link where Windows refuses symbolic ones", { symlink: refuse("EPERM"), link, copyFile: refuse("EIO") }],
    ["is a copy on another disk", { symlink: refuse("EPERM"), link: refuse("EXDEV"), copyFile }],
  ])("%s", async (name, links) => {
    const place = join(folder, `${name}.csv`);
    await standIn(source, place, links);
    expect(readFileSync(place, "utf8")).toBe("a,b\n1,2\n");
  });

  it("fails where there is none", async () => {
    const links = { symlink: refuse("EPERM"), link: refuse("EXDEV"), copyFile: refuse("ENOSPC") };
    await expect(standIn(source, join(folder, "none"), links)).rejects.toMatchObject({ code: "ENOSPC" });
  });
});
