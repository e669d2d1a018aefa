import type { Kind } from "./kinds.js";

/** How a text is written in bytes. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** Bytes looked at for the zeros of UTF-16. */
const SAMPLE = 4096;

const WRITTEN: ReadonlySet<Kind> = new Set<Kind>(["csv", "jsonl", "libsvm", "arff", "market", "text"]);

/** Whether files of a kind are text. */
export function isWritten(kind: Kind): boolean {
  return WRITTEN.has(kind);
}

/**
 * UTF-16 by its mark or by its zeros; UTF-8 where the bytes are that; else what Windows wrote before.
 *
 * @param bytes a whole text, or how it begins
 */
export function detectEncoding(bytes: Uint8Array): Encoding {
  return detectWide(bytes) ?? (isUtf8(bytes) ? "utf-8" : "windows-1252");
}

/** UTF-16, or undefined. */
export function detectWide(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const pairs = Math.min(bytes.length, SAMPLE) >> 1;
  const zeros = [0, 0];
  for (let p = 0; p < 2 * pairs; p++) if (bytes[p] === 0) zeros[p & 1]++;
  // Most characters of a table are ASCII, and none is zero.
  if (zeros[0] === 0 && 2 * zeros[1] > pairs) return "utf-16le";
  if (zeros[1] === 0 && 2 * zeros[0] > pairs) return "utf-16be";
  return undefined;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // A stream may end within a character.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** A text in UTF-8, whatever it was. */
export function recodeText(bytes: Uint8Array<ArrayBuffer>, encoding: Encoding): Uint8Array<ArrayBuffer> {
  if (encoding === "utf-8") return bytes;
  const decoder = new TextDecoder(encoding);
  // As a stream: at once, Node 20 reads Windows-1252 as Latin 1.
  return new TextEncoder().encode(decoder.decode(bytes, { stream: true }) + decoder.decode());
}

/** What to tell the user; an encoding that has no mark is a guess. */
export function noteEncoding(name: string, encoding: Encoding): string[] {
  return encoding === "windows-1252" ? [`${name} is not UTF-8 and was read as Windows-1252 (Latin 1)`] : [];
}
