import { readNpy } from "bonmf";
import type { MatrixSource } from "./source.js";

/** A NumPy array: samples × features, or pictures as samples × rows × columns. */
export function readArray(bytes: Uint8Array, name: string): MatrixSource {
  const { flat, image } = flatten(bytes);
  const { X } = readNpy(flat, { name, precision: "f32" });
  return { form: "matrix", name, kind: "npy", rows: X.samples, X, features: null, labels: null, ids: null, image };
}

/** Gives an array of three or more dimensions two: the same bytes under a shorter shape. */
function flatten(bytes: Uint8Array): { flat: Uint8Array; image: MatrixSource["image"] } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = bytes[6] === 1 ? 10 : 12;
  const end = start + (bytes[6] === 1 ? view.getUint16(8, true) : view.getUint32(8, true));
  const header = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 4096)));
  const [, list = ""] = /'shape'\s*:\s*\(([\d,\s]*)\)/.exec(header) ?? [];
  const shape = list
    .split(",")
    .map((size) => size.trim())
    .filter((size) => size !== "")
    .map(Number);
  if (shape.length < 3 || !/'fortran_order'\s*:\s*False/.test(header)) return { flat: bytes, image: null };
  const width = shape.slice(1).reduce((product, size) => product * size, 1);
  const short = header.replace(/('shape'\s*:\s*)\([^)]*\)/, `$1(${shape[0]}, ${width})`).trimEnd();
  const flat = bytes.slice();
  flat.set(new TextEncoder().encode(`${short.padEnd(header.length - 1)}\n`), start);
  return { flat, image: shape.length === 3 ? { width: shape[2], height: shape[1] } : null };
}
