// Pictures: our PGM and PPM reader, and through it and sharp the reader of the command.
import { writeFileSync } from "node:fs";
import { readImages } from "../../apps/cli/src/read/formats/images.ts";
import { encode, makePng, repairPng } from "../containers.js";
import { placeFile } from "../scratch.js";

export const seeds = () => [
  encode("P2\n# note\n2 2\n255\n1 2 3 4\n"),
  encode("P3 1 1 15 1 2 3 "),
  encode("P5 2 2 255\nabcd"),
  encode("P6 1 1 65535\nabcdef"),
  makePng(3, 2),
];
export const tokens = ["P2", "P3", "P5", "P6", "IHDR", "IDAT", "PLTE", "tRNS", "acTL", "IEND", "#", "65535"];
export const repair = (bytes) => (bytes[0] === 0x89 ? repairPng(bytes) : bytes);

const path = placeFile("picture");

export async function read(bytes) {
  writeFileSync(path, bytes);
  await readImages([{ path, name: "input.png" }], {});
}
