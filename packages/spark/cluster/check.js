// The tests that need a real cluster, on one that it starts: node packages/spark/cluster/check.js [test files]
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startCluster } from "./cluster.js";
import { whyNot } from "./install.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const reason = whyNot();
if (reason !== null) {
  console.error(`no cluster can be started: ${reason}`);
  process.exit(1);
}
const cluster = await startCluster({ note: console.error });
console.log(`Spark at ${cluster.url}, two workers`);
const given = process.argv.slice(2);
const files = given.length > 0 ? given : [".cluster.test.ts"];
const args = ["node_modules/vitest/vitest.mjs", "run", "--no-file-parallelism", ...files];
const env = { ...process.env, SPARK_CONNECT_URL: cluster.url };
const vitest = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
process.on("exit", () => vitest.kill());
let output = "";
vitest.stdout.on("data", (chunk) => {
  output += chunk;
  process.stdout.write(chunk);
});
const status = await new Promise((resolve) => vitest.on("close", resolve));
await cluster.stop();
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
const [summary = ""] = output.replace(/\x1b\[[0-9;]*m/g, "").match(/^ +Tests .*$/m) ?? [];
const count = (word) => Number(new RegExp(`(\\d+) ${word}`).exec(summary)?.[1] ?? 0);
console.log(`${count("passed")} passed, ${count("failed") + count("skipped")} failed`);
process.exit(status === 0 ? 0 : 1);
