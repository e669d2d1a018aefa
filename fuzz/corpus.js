// The kept inputs of a target: a line each, printable ASCII as it is, other bytes as \n, \r, \t or \xff. Lines that begin
// with "# " are comments: what the next input once broke.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SHORT = new Map([
  [9, "\\t"],
  [10, "\\n"],
  [13, "\\r"],
  [92, "\\\\"],
]);
const BYTES = { t: 9, n: 10, r: 13, "\\": 92 };

function pathOf(target) {
  return fileURLToPath(new URL(`corpus/${target}.txt`, import.meta.url));
}

/** @returns {{ bytes: Uint8Array, comment: string }[]} */
export function readCorpus(target) {
  if (!existsSync(pathOf(target))) return [];
  const entries = [];
  let comment = "";
  for (const line of readFileSync(pathOf(target), "utf8").split("\n").slice(0, -1)) {
    if (line.startsWith("# ")) comment += `${line}\n`;
    else {
      entries.push({ bytes: fromText(line), comment });
      comment = "";
    }
  }
  return entries;
}

export function writeCorpus(target, entries) {
  if (entries.length === 0) return;
  writeFileSync(pathOf(target), entries.map(({ bytes, comment }) => `${comment}${toText(bytes)}\n`).join(""));
}

export function toText(bytes) {
  let text = "";
  for (const [i, byte] of bytes.entries()) {
    // A "#" at the beginning would make a comment of the line.
    const plain = byte >= 32 && byte < 127 && !(i === 0 && byte === 35);
    text += SHORT.get(byte) ?? (plain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`);
  }
  return text;
}

export function fromText(text) {
  const bytes = [];
  for (let p = 0; p < text.length; p++) {
    if (text[p] !== "\\") bytes.push(text.charCodeAt(p));
    else if (text[++p] === "x") {
      bytes.push(Number.parseInt(text.slice(p + 1, p + 3), 16));
      p += 2;
    } else bytes.push(BYTES[text[p]]);
  }
  return Uint8Array.from(bytes);
}
