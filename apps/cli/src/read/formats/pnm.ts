import type { Size } from "bonmf-data";

/** A picture in memory: 8 bits a channel, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  readonly data: Uint8Array;
}

const HEADER = /^P([2356])(?:\s|#[^\n]*\n)+(\d+)(?:\s|#[^\n]*\n)+(\d+)(?:\s|#[^\n]*\n)+(\d+)(?:#[^\n]*\n)*\s/;

export function isPnm(bytes: Uint8Array): boolean {
  return /^P[2356][\s#]/.test(String.fromCharCode(...bytes.subarray(0, 3)));
}

/**
 * Reads PGM (P2, P5) and PPM (P3, P6), of up to 16 bits a channel.
 *
 * @param check is asked about the size before memory is taken for it
 * @throws Error whose message says what is wrong
 */
export function readPnm(bytes: Uint8Array, check: (size: Size) => void = () => {}): Picture {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = HEADER.exec(text.toString("latin1", 0, 4096));
  if (!header) throw new Error("its header is not that of a PGM or PPM picture");
  const [form, width, height, most] = header.slice(1, 5).map(Number);
  const channels = form === 2 || form === 5 ? 1 : 3;
  if (width === 0 || height === 0) throw new Error(`it is ${width} × ${height} pixels, and so empty`);
  if (most === 0 || most > 65_535) throw new Error(`its largest value is ${most}, but must be 1 … 65535`);
  const size = width * height * channels;
  const wide = most > 255 ? 2 : 1;
  const rest = bytes.subarray(header[0].length);
  // Each value of the text forms takes a digit and a blank.
  const least = form > 3 ? size * wide : 2 * size - 1;
  if (rest.length < least) throw new Error(`it ends before its ${width} × ${height} pixels: it is cut short`);
  check({ width, height });
  const data = new Uint8Array(size);
  if (form > 3)
    for (let p = 0; p < size; p++) data[p] = scale(wide === 2 ? 256 * rest[2 * p] + rest[2 * p + 1] : rest[p], most);
  else fillFromText(data, text.toString("latin1", header[0].length), most);
  return { width, height, channels, data };
}

function fillFromText(data: Uint8Array, text: string, most: number): void {
  const values = text.replace(/#[^\n]*/g, "").matchAll(/\S+/g);
  for (let p = 0; p < data.length; p++) {
    const { value: word, done } = values.next();
    if (done) throw new Error(`it ends after ${p} of ${data.length} values: it is cut short`);
    if (!/^\d+$/.test(word[0])) throw new Error(`${JSON.stringify(word[0])} is not a value of a pixel`);
    data[p] = scale(Number(word[0]), most);
  }
}

function scale(value: number, most: number): number {
  return most === 255 ? Math.min(value, 255) : Math.round((255 * Math.min(value, most)) / most);
}
