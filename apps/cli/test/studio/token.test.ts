import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { binary, makeFolder } from "../binary.js";

/** Linux's program that opens browsers, replaced by one that keeps its arguments. */
it.runIf(process.platform === "linux")("hands the browser a private page, not the secret", async () => {
  const folder = makeFolder();
  const heard = join(folder, "heard");
  writeFileSync(
    join(folder, "xdg-open"),
    `#!/bin/sh\nprintf '%s\\n' "$@" > '${heard}.new'; mv '${heard}.new' '${heard}'\n`,
    {
      mode: 0o755,
    },
  );
  writeFileSync(join(folder, "data.csv"), "x\n1\n");
  const child = spawn(process.execPath, [binary, "studio", "data.csv", "--json"], {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, TMPDIR: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
  });
  const gone = new Promise((resolve) => child.on("exit", resolve));
  while (!existsSync(heard) && child.exitCode === null) await sleep(10);
  const { url } = JSON.parse(shown);
  const [, token] = /#open=(.+)$/.exec(url) ?? [];
  expect(token).toMatch(/^[\w-]{22}$/);
  const page = readFileSync(heard, "utf8").trim();
  expect(page).not.toContain(token);
  expect(readFileSync(page, "utf8")).toContain(`content="0;url=${url}"`);
  expect(statSync(page).mode & 0o777).toBe(0o600);
  expect(statSync(join(page, "..")).mode & 0o777).toBe(0o700);
  child.kill("SIGTERM");
  await gone;
  expect(existsSync(page)).toBe(false);
});
