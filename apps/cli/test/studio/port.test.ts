import { spawn } from "node:child_process";
import { createServer } from "node:http";
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

it("listens where its projects are, or elsewhere with a note", async () => {
  const other = createServer();
  // The usual port may be taken already, which is the same to the test.
  await new Promise<void>((resolve) => {
    other.once("error", () => resolve());
    other.listen(2632, "127.0.0.1", resolve);
  });
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
