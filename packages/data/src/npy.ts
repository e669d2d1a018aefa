import { parseNpyHeader } from "bonmf/io";
import type { Size } from "./data.js";

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** Honest headers have some hundred bytes. */
const LONGEST = 65_536;

/** An array as samples × features. */
export interface FlatNpy {
  readonly bytes: Uint8Array;
  /** Where each sample was a picture, rows × columns. */
  readonly image?: Size;
}

/** What an NPY header says; undefined where it is none. */
export function readNpyShape(
  bytes: Uint8Array,
): { type: string; fortran: boolean; shape: number[]; start: number; end: number } | undefined {
  if (!MAGIC.every((byte, p) => bytes[p] === byte) || bytes.length < 12) return undefined;
  const start = bytes[6] === 1 ? 10 : 12;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const end = start + (bytes[6] === 1 ? view.getUint16(8, true) : view.getUint32(8, true));
  const header = parseNpyHeader(decodeLatin(bytes.subarray(start, Math.min(end, start + LONGEST))));
  if (!header || /[^\d,\sL]/.test(header.shape)) return undefined;
  return {
    type: header.descr,
    fortran: header.fortran,
    shape: header.shape
      .split(",")
      .map((n) => n.trim())
      .filter((n) => n !== "")
      .map((n) => Number.parseInt(n, 10)),
    start,
    end,
  };
}

/** Turns an array of three or more dimensions into samples × features: the same bytes under a shorter shape. */
export function flattenNpy(bytes: Uint8Array): FlatNpy {
  const head = readNpyShape(bytes);
  if (!head || head.shape.length < 3 || head.fortran) return { bytes };
  const { shape, start, end } = head;
  if (end - start > LONGEST) return { bytes };
  const text = decodeLatin(bytes.subarray(start, end));
  const width = shape.slice(1).reduce((product, size) => product * size, 1);
  const short = text.replace(/('shape'\s*:\s*)\([^)]*\)/, `$1(${shape[0]}, ${width})`);
  const flat = bytes.slice();
  const header = `${short.trimEnd().padEnd(text.length - 1)}\n`;
  for (let p = 0; p < header.length; p++) flat[start + p] = header.charCodeAt(p);
  return { bytes: flat, ...(shape.length === 3 && { image: { width: shape[2], height: shape[1] } }) };
}

function decodeLatin(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
