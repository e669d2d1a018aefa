import { spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { binary } from "../binary.js";

/** Starts the studio, and ends it once it has told its address. */
async function start(): Promise<{ port: string; notes: string }> {
  const child = spawn(process.execPath, [binary, "studio", "--no-open", "--json"]);
  let notes = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    notes += text;
  });
  const gone = new Promise((resolve) => child.on("exit", resolve));
  const text = await new Promise<string>((resolve) => child.stdout.once("data", (data) => resolve(String(data))));
  child.kill("SIGTERM");
  await gone;
  return { port: new URL(JSON.parse(text).url).port, notes };
}

/** Whether the server listens on the usual port, which others may have taken. */
function listen(server: Server): Promise<boolean> {
  return new Promise((resolve) => {
    const fail = () => resolve(false);
    server.once("error", fail);
    server.listen(2632, "127.0.0.1", () => {
      server.off("error", fail);
      resolve(true);
    });
  });
}

it("listens where its projects are, or elsewhere with a note", async () => {
  const other = createServer();
  // Another test may have the port for a while; a studio that stays is the same to this one.
  for (let tries = 0; tries < 100 && !(await listen(other)); tries++) await setTimeout(100);
  const { port, notes } = await start();
  expect(port).not.toBe("2632");
  expect(notes).toContain("port 2632 is taken");
  const free = other.listening;
  await new Promise((resolve) => other.close(resolve));
  if (free) {
    const { port, notes } = await start();
    // Another test may have taken it meanwhile: then there is a note.
    expect(port === "2632").toBe(!notes.includes("is taken"));
  }
});
