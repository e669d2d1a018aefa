import { detectWide } from "./encoding.js";

const utf8 = new TextDecoder("utf-8", { fatal: true });
/** Arguments that String.fromCharCode surely takes. */
const PIECE = 8192;

/** What the user is told where a text was `old`. */
export const OLD_TEXT = "some of the text is not UTF-8 and was read as Latin 1";

/** UTF-8 or UTF-16; or, where it is not, one byte a character as in older files (Latin 1). */
export function decodeText(bytes: Uint8Array): { text: string; old: boolean } {
  const wide = detectWide(bytes);
  if (wide) return { text: new TextDecoder(wide).decode(bytes), old: false };
  try {
    return { text: utf8.decode(bytes), old: false };
  } catch {
    // A TextDecoder's "latin1" is Windows-1252, which differs between 0x80 and 0x9f.
    let text = "";
    for (let p = 0; p < bytes.length; p += PIECE) text += String.fromCharCode(...bytes.subarray(p, p + PIECE));
    return { text, old: true };
  }
}
