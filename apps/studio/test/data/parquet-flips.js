// Reads every file of fixtures/parquet.json again and again, with one byte changed each time: node parquet-flips.js FIRST STEP
// Each bit is changed, and each byte becomes 0, 127, 128 and 255. Prints what became of them as JSON. In a process of its own, so
// that a test can end one that hangs.
import { readFileSync } from "node:fs";
import { build } from "esbuild";

const { outputFiles } = await build({
  entryPoints: [new URL("../../src/data/parquet.ts", import.meta.url).pathname],
  bundle: true,
  write: false,
  format: "esm",
  platform: "node",
  logLevel: "error",
});
const { readParquet } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`
);

const [first, step] = process.argv.slice(2).map(Number);
const files = JSON.parse(readFileSync(new URL("fixtures/parquet.json", import.meta.url), "utf8"));
const CHANGES = [...Array.from({ length: 8 }, (_, bit) => (byte) => byte ^ (1 << bit)), ...[0, 127, 128, 255].map((byte) => () => byte)]; // biome-ignore format: one line
const counts = { read: 0, refused: 0, slow: [], faults: [] };
let slowest = 0;
let number = 0;
for (const [name, packed] of Object.entries(files)) {
  const bytes = Uint8Array.from(Buffer.from(packed, "base64"));
  for (let at = 0; at < bytes.length; at++) {
    for (const [c, change] of CHANGES.entries()) {
      if (number++ % step !== first) continue;
      const changed = bytes.slice();
      changed[at] = change(changed[at]);
      const used = process.cpuUsage();
      try {
        await readParquet(changed.buffer, name);
        counts.read++;
      } catch (error) {
        if (["UserError", "MemoryError"].includes(error.name)) counts.refused++;
        else counts.faults.push(`${name}, byte ${at}, change ${c}: ${error.message}`);
      }
      const { user, system } = process.cpuUsage(used);
      slowest = Math.max(slowest, user + system);
      if (user + system > 1e6) counts.slow.push(`${name}, byte ${at}, change ${c}: ${(user + system) / 1e6} s`);
    }
  }
}
console.log(
  JSON.stringify({ ...counts, slowest: slowest / 1e6, megabytes: Math.round(process.resourceUsage().maxRSS / 1024) }),
);
