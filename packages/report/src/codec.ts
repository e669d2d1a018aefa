import type { Findings } from "./findings.js";
import type { TestFindings } from "./test-findings.js";

const KINDS = { Uint8Array, Uint32Array, Float32Array } as const;
type Name = keyof typeof KINDS;
interface Packed {
  readonly $array: Name;
  readonly bytes: string;
}

/** Findings as JSON, with typed arrays in base64. */
export function packFindings(findings: Findings | TestFindings): string {
  return JSON.stringify(findings, (_, value: unknown) => {
    if (!ArrayBuffer.isView(value)) return value;
    const name = value.constructor.name as Name;
    return { $array: name, bytes: toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) };
  });
}

export function unpackFindings(text: string): Findings | TestFindings {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, "$array")) return value;
    const { $array: name, bytes } = value as Packed;
    return new KINDS[name](fromBase64(bytes).buffer);
  }) as Findings | TestFindings;
}

/** Most arguments that every JavaScript engine accepts in one call. */
const CHUNK = 8192;

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(from, from + CHUNK));
  }
  return btoa(text);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
