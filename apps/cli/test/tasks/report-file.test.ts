import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { checkReport, writeReport } from "../../src/tasks/report-file.js";
import { makeFolder } from "../binary.js";

const folder = makeFolder();
const at = (name: string) => join(folder, name);
const { signal } = new AbortController();
const page = async () => "<!doctype html><p>clusters";

/** A program in the place of the browser. */
function writeBrowser(script: string): string {
  writeFileSync(at("browser"), `#!/bin/sh\n${script}\n`);
  chmodSync(at("browser"), 0o755);
  return at("browser");
}

afterEach(() => vi.unstubAllEnvs());

describe("a report", () => {
  it("is a page", async () => {
    await writeReport(at("r.html"), page, signal);
    expect(readFileSync(at("r.html"), "utf8")).toBe(await page());
  });

  it("of another ending is refused", async () => {
    await expect(checkReport("r.png")).rejects.toMatchObject({
      message: "r.png: a report is a page or a PDF",
      hint: "end the name in .html or .pdf",
    });
  });

  it("as PDF needs a browser", async () => {
    vi.stubEnv("CHROME_PATH", at("nowhere"));
    await expect(writeReport(at("r.pdf"), page, signal)).rejects.toThrow(
      /r\.pdf: a PDF is printed by Chromium or Chrome/,
    );
    expect(existsSync(at("r.pdf"))).toBe(false);
  });

  it.skipIf(process.platform === "win32")("is printed from the page", async () => {
    const argument = (flag: string) => `$(printf '%s\\n' "$@" | sed -n 's#^${flag}##p')`;
    const print = `{ printf '%%PDF-'; cat "${argument("file://")}"; } > "${argument("--print-to-pdf=")}"`;
    vi.stubEnv("CHROME_PATH", writeBrowser(print));
    await writeReport(at("r.pdf"), page, signal);
    expect(readFileSync(at("r.pdf"), "utf8")).toBe(`%PDF-${await page()}`);
  });

  it.skipIf(process.platform === "win32")("that the browser does not print leaves nothing", async () => {
    vi.stubEnv("CHROME_PATH", writeBrowser("exit 3"));
    await expect(writeReport(at("bad.pdf"), page, signal)).rejects.toThrow("printed no PDF");
    expect(readdirSync(folder).filter((name) => name.startsWith("bad") || name.startsWith(".bonmf"))).toEqual([]);
  });
});
