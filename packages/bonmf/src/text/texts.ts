import { isUnspaced } from "./words.js";

/** Strings, or texts of which each becomes one when it is asked for. */
export type TextList = readonly string[] | Texts;

/** Some texts as UTF-8, which other threads are given without a copy. */
export interface TextPart {
  readonly bytes: Uint8Array;
  /** Where each text begins and ends, rising. */
  readonly spans: Uint32Array;
  /** Whether all characters are. */
  readonly isAscii: boolean;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Texts as UTF-8: of a million strings every garbage collection takes longer. */
export class Texts implements Iterable<string> {
  readonly parts: readonly TextPart[];
  readonly length: number;
  /** How many texts are in the parts before each. */
  readonly #before: Uint32Array;

  constructor(parts: readonly TextPart[]) {
    this.parts = parts;
    this.#before = new Uint32Array(parts.length + 1);
    for (let p = 0; p < parts.length; p++) this.#before[p + 1] = this.#before[p] + parts[p].spans.length / 2;
    this.length = this.#before[parts.length];
  }

  /** Halves of characters become U+FFFD. */
  static of(texts: readonly string[]): Texts {
    const parts: TextPart[] = [];
    for (let first = 0; first < texts.length; ) {
      let most = 0;
      let end = first;
      while (end < texts.length && (end === first || most < PART)) most += 3 * texts[end++].length;
      const bytes = new Uint8Array(most);
      const spans = new Uint32Array(2 * (end - first));
      writeTexts(texts.slice(first, end), 0, end - first, bytes, spans);
      const used = bytes.slice(0, spans[spans.length - 1]);
      parts.push({ bytes: used, spans, isAscii: used.every((byte) => byte < 0x80) });
      first = end;
    }
    return new Texts(parts);
  }

  at(i: number): string | undefined {
    if (!(i >= 0 && i < this.length)) return undefined;
    const p = this.#find(i);
    return textOf(this.parts[p], i - this.#before[p]);
  }

  *[Symbol.iterator](): Generator<string> {
    for (const part of this.parts) for (let t = 0; 2 * t < part.spans.length; t++) yield textOf(part, t);
  }

  /** @param places rising */
  take(places: Uint32Array): Texts {
    const parts: TextPart[] = [];
    for (let p = 0, at = 0; p < this.parts.length; p++) {
      const { spans, ...part } = this.parts[p];
      const first = at;
      while (at < places.length && places[at] < this.#before[p + 1]) at++;
      const own = new Uint32Array(2 * (at - first));
      for (let t = first; t < at; t++) {
        const from = 2 * (places[t] - this.#before[p]);
        own[2 * (t - first)] = spans[from];
        own[2 * (t - first) + 1] = spans[from + 1];
      }
      if (at > first) parts.push({ ...part, spans: own });
    }
    return new Texts(parts);
  }

  areEqual(i: number, j: number): boolean {
    const [p, q] = [this.#find(i), this.#find(j)];
    const [a, b] = [this.parts[p], this.parts[q]];
    const [s, t] = [2 * (i - this.#before[p]), 2 * (j - this.#before[q])];
    const length = a.spans[s + 1] - a.spans[s];
    if (length !== b.spans[t + 1] - b.spans[t]) return false;
    const [first, second] = [a.spans[s], b.spans[t]];
    for (let at = 0; at < length; at++) if (a.bytes[first + at] !== b.bytes[second + at]) return false;
    return true;
  }

  /** Writes as many texts from one of them on as there is room for. @returns how many */
  write(from: number, to: number, bytes: Uint8Array, spans: Uint32Array): number {
    const p = this.#find(from);
    const first = from - this.#before[p];
    const { bytes: own, spans: places } = this.parts[p];
    const begin = places[2 * first];
    const most = Math.min(spans.length / 2, places.length / 2 - first, to - from);
    let count = 0;
    for (; count < most; count++) {
      const end = places[2 * (first + count) + 1] - begin;
      if (end > bytes.length) break;
      spans[2 * count] = places[2 * (first + count)] - begin;
      spans[2 * count + 1] = end;
    }
    if (count > 0) bytes.set(own.subarray(begin, begin + spans[2 * count - 1]));
    return count;
  }

  #find(i: number): number {
    let [low, high] = [0, this.parts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#before[middle] <= i) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Bytes of a part, about, or those of one text. */
const PART = 2 ** 20;

function textOf({ bytes, spans }: TextPart, t: number): string {
  return decoder.decode(bytes.subarray(spans[2 * t], spans[2 * t + 1]));
}

/**
 * Writes as many texts as there is room for as UTF-8.
 *
 * @param bytes OUT
 * @param spans OUT where each text begins and ends
 * @returns how many
 */
export function writeTexts(texts: TextList, from: number, to: number, bytes: Uint8Array, spans: Uint32Array): number {
  if (texts instanceof Texts) return texts.write(from, to, bytes, spans);
  const most = Math.min(spans.length / 2, to - from);
  for (let count = 0, at = 0; count < most; count++) {
    const text = texts.at(from + count)!;
    const { read, written } = encoder.encodeInto(text, bytes.subarray(at));
    if (read < text.length) return count;
    spans[2 * count] = at;
    at += written;
    spans[2 * count + 1] = at;
  }
  return most;
}

export function areEqual(texts: TextList, i: number, j: number): boolean {
  return texts instanceof Texts ? texts.areEqual(i, j) : texts.at(i) === texts.at(j);
}

/** @param places rising */
export function takeTexts(texts: TextList, places: Uint32Array): TextList {
  return texts instanceof Texts ? texts.take(places) : Array.from(places, (i) => texts.at(i)!);
}

/** Whether any text has words that do not end at spaces. */
export function areUnspaced(texts: TextList): boolean {
  if (!(texts instanceof Texts)) return Array.from(texts).some(isUnspaced);
  // Most parts have none.
  return texts.parts.some(
    (part) => !part.isAscii && isUnspaced(decoder.decode(part.bytes)) && Array.from(new Texts([part])).some(isUnspaced),
  );
}

/** How many characters each text has, or bytes where it is UTF-8. */
export function lengthsOf(texts: TextList): Uint32Array {
  const lengths = new Uint32Array(texts.length);
  let i = 0;
  if (texts instanceof Texts) {
    for (const { spans } of texts.parts)
      for (let t = 0; t < spans.length; t += 2) lengths[i++] = spans[t + 1] - spans[t];
  } else {
    for (const text of texts) lengths[i++] = text.length;
  }
  return lengths;
}

/** About how many characters texts have. */
export function countCharacters(texts: TextList): number {
  let characters = 0;
  if (texts instanceof Texts) {
    for (const { spans } of texts.parts) {
      for (let t = 0; t < spans.length; t += 2) characters += spans[t + 1] - spans[t];
    }
  } else {
    for (const text of texts) characters += text.length;
  }
  return characters;
}
