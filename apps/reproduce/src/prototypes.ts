import { crc32, deflateSync } from "node:zlib";
import type { PaperDataset } from "./datasets.js";

/** Draws prototypes: `<img>` for pictures, `<svg>` for pen strokes. */
export function showPrototypes(prototypes: string, features: number, look: NonNullable<PaperDataset["look"]>): string {
  const bytes = Buffer.from(prototypes, "base64");
  return Array.from({ length: bytes.length / features }, (_, j) => {
    const values = bytes.subarray(j * features, (j + 1) * features);
    return look === "strokes" ? drawStroke(values, j) : drawPicture(values, look.width, j);
  }).join("");
}

function drawPicture(values: Buffer, width: number, j: number): string {
  const data = toPng(values, width).toString("base64");
  return `<img alt="prototype ${j}" src="data:image/png;base64,${data}">`;
}

/** Eight points x, y with y upwards, as Pendigits has them. */
function drawStroke(values: Buffer, j: number): string {
  const points = Array.from({ length: values.length / 2 }, (_, p) => `${values[2 * p]},${255 - values[2 * p + 1]}`);
  const line = `<polyline points="${points.join(" ")}"/>`;
  return `<svg viewBox="-15 -15 285 285" role="img" aria-label="prototype ${j}">${line}</svg>`;
}

/** A grey PNG of eight bits. */
function toPng(values: Buffer, width: number): Buffer {
  const height = values.length / width;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_, y) => [Buffer.of(0), values.subarray(y * width, (y + 1) * width)]);
  const chunks = [
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows.flat()))),
    chunk("IEND", Buffer.of()),
  ];
  return Buffer.concat([Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), ...chunks]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
