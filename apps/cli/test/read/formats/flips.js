// Reads an Arrow file again and again, with one bit changed each time: node flips.js FILE FIRST STEP
// Prints what became of them as JSON. In a process of its own, so that a test can end one that hangs.
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const built = (name) => new URL(`../../../dist/read/formats/${name}`, import.meta.url);
const { useArrow } = await import(built("arrow-file.js"));
const { readChunks } = await import(built("arrow-table.js"));

const [path, first, step] = process.argv.slice(2);
const bytes = readFileSync(path);
const file = { path: join(tmpdir(), `flip-${process.pid}.arrow`), name: "flip.arrow" };
const counts = { read: 0, refused: 0, slow: [], faults: [] };
for (let bit = Number(first); bit < 8 * bytes.length; bit += Number(step)) {
  const flipped = new Uint8Array(bytes);
  flipped[bit >> 3] ^= 1 << (bit & 7);
  writeFileSync(file.path, flipped);
  const used = process.cpuUsage();
  try {
    await useArrow(file, {}, async (arrow) => {
      for await (const _ of readChunks(file, arrow).chunks);
    });
    counts.read++;
  } catch (error) {
    if (error.name === "UserError") counts.refused++;
    else counts.faults.push(`bit ${bit}: ${error.message}`);
  }
  const { user, system } = process.cpuUsage(used);
  if (user + system > 1e6) counts.slow.push(`bit ${bit}: ${(user + system) / 1e6} s`);
}
console.log(JSON.stringify({ ...counts, megabytes: process.resourceUsage().maxRSS / 1024 }));
