/** Texts as few long strings: other threads receive them, and keep them, at a fraction of the cost of many short ones. */
export interface PackedTexts {
  readonly parts: readonly string[];
  /** How many characters each text has. No text is in two parts. */
  readonly lengths: Uint32Array;
}

/** Characters of a part, or those of one text. */
const PART = 2 ** 18;

export function packTexts(texts: readonly string[]): PackedTexts {
  const parts: string[] = [];
  const lengths = new Uint32Array(texts.length);
  let first = 0;
  let held = 0;
  for (let i = 0; i < texts.length; i++) {
    lengths[i] = texts[i].length;
    if (held > 0 && held + lengths[i] > PART) {
      parts.push(texts.slice(first, i).join(""));
      first = i;
      held = 0;
    }
    held += lengths[i];
  }
  if (held > 0) parts.push(texts.slice(first).join(""));
  return { parts, lengths };
}

export function unpackTexts({ parts, lengths }: PackedTexts): string[] {
  const texts = new Array<string>(lengths.length);
  let part = 0;
  let at = 0;
  for (let i = 0; i < lengths.length; i++) {
    if (lengths[i] > 0 && at === parts[part].length) {
      part++;
      at = 0;
    }
    texts[i] = lengths[i] === 0 ? "" : parts[part].slice(at, at + lengths[i]);
    at += lengths[i];
  }
  return texts;
}
