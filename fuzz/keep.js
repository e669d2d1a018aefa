// Adds inputs to the corpus of a target: the shortest that together reach every branch known.
import { readCorpus, writeCorpus } from "./corpus.js";
import { openRunner } from "./runner.js";

const LONGEST = 1024;

/** Inputs with a comment, once faults, stay whatever they reach. */
export async function keepInputs({ folder, branches }, name, corpus) {
  const runner = await openRunner(folder, branches, name);
  const reached = new Set();
  const reachesMore = async (bytes) => {
    await runner.run(bytes);
    const before = reached.size;
    for (const feature of runner.features()) reached.add(feature >> 3);
    return reached.size > before;
  };
  const old = readCorpus(name);
  const kept = old.filter(({ comment }) => comment !== "");
  for (const { bytes } of kept) await reachesMore(bytes);
  for (const bytes of (await runner.target.seeds?.()) ?? []) await reachesMore(bytes);
  const others = [...old.filter(({ comment }) => comment === ""), ...corpus.map(toEntry)];
  others.sort((a, b) => a.bytes.length - b.bytes.length);
  for (const entry of others) {
    if (entry.bytes.length <= LONGEST && (await reachesMore(entry.bytes))) kept.push(entry);
  }
  writeCorpus(name, kept);
}

function toEntry(hex) {
  return { bytes: new Uint8Array(Buffer.from(hex, "hex")), comment: "" };
}
