// Draws docs/digits.svg for the README: digits as they come, and the ten prototypes BONMF finds in them.
import { writeFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";
import { fit } from "../packages/bonmf/dist/bonmf.js";
import { loadDigits, SIDE } from "./digits.js";

const K = 10;
const SAMPLES = 40;
const CELL = 38;
const COLOURS = [
  "#4e79a7",
  "#f28e2b",
  "#e15759",
  "#76b7b2",
  "#59a14f",
  "#edc948",
  "#b07aa1",
  "#ff9da7",
  "#9c755f",
  "#79706e",
];

const { X } = loadDigits(0, 5000);
const model = await fit(X, { k: K, seed: 7, restarts: 5 });

const digits = Array.from({ length: SAMPLES }, (_, i) =>
  tile(X.row(i), model.labels[i], 20 + (i % 20) * CELL, 46 + Math.floor(i / 20) * (CELL + 8), CELL - 6),
);
const prototypes = Array.from({ length: K }, (_, j) => tile(model.W.row(j), j, 20 + j * 2 * CELL, 192, 2 * CELL - 8));
const width = 20 * CELL + 36;
const text = (x, y, words) => `<text x="${x}" y="${y}">${words}</text>`;
writeFileSync(
  new URL("../docs/digits.svg", import.meta.url),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 306" width="${width}" height="306" role="img" aria-label="Forty handwritten digits, each marked with the colour of its cluster, above the ten prototypes that BONMF finds">
<style>text { font: 14px system-ui, sans-serif; fill: #444 } image { image-rendering: auto }</style>
<rect width="100%" height="100%" rx="8" fill="#fafafa"/>
${text(20, 30, "X: 5,000 handwritten digits, the first 40, with the colour of their cluster (H)")}
${digits.join("\n")}
${text(20, 180, "W: the ten prototypes, with the number of digits in each cluster")}
${prototypes.join("\n")}
${Array.from(model.counts, (count, j) => text(20 + j * 2 * CELL, 290, count)).join("\n")}
</svg>
`,
);

/** A grey picture over a bar in its cluster's colour. */
function tile(pixels, cluster, x, y, size) {
  const data = png(pixels).toString("base64");
  return (
    `<image x="${x}" y="${y}" width="${size}" height="${size}" href="data:image/png;base64,${data}"/>` +
    `<rect x="${x}" y="${y + size + 1}" width="${size}" height="4" fill="${COLOURS[cluster]}"/>`
  );
}

/** An 8-bit grey PNG, dark on light. */
function png(pixels) {
  const most = Math.max(...pixels);
  const raw = Buffer.alloc(SIDE * (SIDE + 1));
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) raw[y * (SIDE + 1) + 1 + x] = 255 - Math.round((255 * pixels[y * SIDE + x]) / most);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  header[8] = 8;
  const chunk = (type, body) => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(body.length);
    const typed = Buffer.concat([Buffer.from(type), body]);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(typed));
    return Buffer.concat([head, typed, sum]);
  };
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(raw, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
