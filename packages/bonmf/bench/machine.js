import { readFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { peerVersions } from "./peers.js";

/** What the numbers depend on, in words. */
export function describeMachine() {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const peers = Object.entries(peerVersions()).map(([name, number]) => `${name} ${number}`);
  const memory = Math.round(totalmem() / 2 ** 30);
  return {
    processor: `${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${memory} GB, ${process.platform} ${process.arch}`,
    software: [`bonmf ${version}`, `Node ${process.versions.node}`, `V8 ${process.versions.v8}`, ...peers].join(", "),
  };
}
