// Which kind a file is; its encoding; documents as counts of words.
import { countDocuments, decodeText, detectEncoding, detectKind, isArchive, recodeText } from "bonmf-data";
import { encode } from "../containers.js";
import { attempt } from "../oracle.js";

export const seeds = () => [
  encode("The oak is tall.\nAn elm, a beech: trees!\n"),
  encode("\ufeffстол стул\nnaïve café 東京\n"),
  Uint8Array.of(0xff, 0xfe, 65, 0, 10, 0, 66, 0),
  Uint8Array.of(67, 97, 102, 0xe9, 10),
  encode("1 3:4 7:1\n0 2:2\n"),
  encode("P2 2 2 255 1 2 3 4"),
  // A run of letters without an end, which dictionaries divide: it once took seconds.
  encode("\u3333".repeat(20_000)),
];

export async function read(bytes) {
  for (const name of ["input", "input.npy", "input.txt"]) {
    attempt(() => detectKind({ name, bytes }));
    attempt(() => isArchive({ name, bytes }));
  }
  attempt(() => recodeText(bytes, detectEncoding(bytes)));
  const { text } = decodeText(bytes);
  const texts = text.split("\n").filter((line) => line.trim() !== "");
  const documents = { texts, labels: null, ids: null, weights: null, notes: [] };
  const { X, features } = await countDocuments(documents, {});
  if (X.samples !== texts.length || X.features !== features.length) throw new Error("a document or a word is lost");
}
