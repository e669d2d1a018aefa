import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { alone } from "../lock.js";

const folder = mkdtempSync(join(tmpdir(), "bonmf-lock-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const module = new URL("../lock.js", import.meta.url).href;
const ignore = () => undefined;

/** Another process that works under the lock: what it does there is code. */
function start(path, code) {
  const script = `
    import { appendFileSync } from "node:fs";
    import { alone } from ${JSON.stringify(module)};
    const [path, log] = process.argv.slice(1);
    const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
    await alone(path, () => {}, async () => { ${code} });`;
  return spawn(process.execPath, ["--input-type=module", "-e", script, path, join(folder, "log")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function end(child) {
  const [code] = child.exitCode === null && child.signalCode === null ? await once(child, "exit") : [child.exitCode];
  return code;
}

describe("a lock", () => {
  it("lets one process in at a time", async () => {
    const path = join(folder, "queue", "lock");
    const code = 'appendFileSync(log, "in\\n"); await pause(); appendFileSync(log, "out\\n");';
    const children = Array.from({ length: 6 }, () => start(path, code));
    expect(await Promise.all(children.map(end))).toEqual(new Array(6).fill(0));
    expect(readFileSync(join(folder, "log"), "utf8")).toBe("in\nout\n".repeat(6));
    expect(readdirSync(join(folder, "queue"))).toEqual([]);
  });

  it("of a process that was killed holds nobody up", async () => {
    const path = join(folder, "killed");
    const child = start(path, 'console.log("in"); setInterval(pause, 1000); await new Promise(() => {});');
    await once(child.stdout, "data");
    let waited = 0;
    const work = alone(
      path,
      () => waited++,
      () => "done",
    );
    child.kill("SIGKILL");
    expect(await work).toBe("done");
    expect(waited).toBe(1);
    expect(existsSync(path)).toBe(false);
  });

  it.runIf(process.platform === "linux")("of a process that is dead but not buried holds nobody up", async () => {
    const path = join(folder, "zombie");
    const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      const pid = Number((await once(parent.stdout, "data"))[0]);
      // From here on the parent is no shell and reaps no children.
      await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n");
      process.kill(pid, "SIGKILL");
      writeFileSync(path, String(pid));
      expect(await alone(path, ignore, () => "done")).toBe("done");
      process.kill(pid, 0); // still listed, so it was one
    } finally {
      parent.kill();
      await end(parent);
    }
  });

  it("that nobody has touched for long is free, whoever has its holder's number now", async () => {
    const path = join(folder, "old");
    writeFileSync(path, String(process.pid));
    const longAgo = new Date(Date.now() - 3_600_000);
    utimesSync(path, longAgo, longAgo);
    expect(await alone(path, ignore, () => "done")).toBe("done");
  });

  it("is given back when the work fails", async () => {
    const path = join(folder, "failed");
    const work = alone(path, ignore, (touch) => {
      touch();
      throw new Error("no");
    });
    await expect(work).rejects.toThrow("no");
    expect(existsSync(path)).toBe(false);
  });
});
