/** What ends a word. */
export const BREAK = 0;
/** Characters that join two parts of a word. */
export const APOSTROPHE = 0x27;
export const HYPHEN = 0x2d;

/** Latin, Greek, Cyrillic and Armenian letters are below, and their punctuation between. */
const ALPHABETS = 0x590;
const PUNCTUATION = 0x2000;
const SYMBOLS = 0x2100;

const WORD_CHARACTER = /[\p{L}\p{N}]/u;
/** Marks compose, the small letter of sigma depends on where in a word it stands, and soft hyphens and joiners are inside words. */
const CONTEXT = /[\p{M}Σ'’\u00ad-]|\u200c|\u200d/u;

/** A character whose part in a word depends on its neighbours, or that is of none of these alphabets. */
const OTHER = 0xffff;
const UNKNOWN = 0xfffe;
const folds = new Uint16Array(SYMBOLS).fill(UNKNOWN);

/**
 * Writes what the characters of a text are in a word: the code of the small letter in NFKC, a joiner, or BREAK. No two of the
 * characters that are known here compose, and none has another small letter beside others.
 *
 * @param codes OUT at least as long as the text
 * @returns false where the text has characters that must be seen together
 */
export function foldText(text: string, codes: Uint16Array): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= SYMBOLS) return false;
    let fold = folds[code];
    if (fold >= UNKNOWN) {
      if (fold === UNKNOWN) folds[code] = fold = findFold(code);
      if (fold === OTHER) return false;
    }
    codes[at] = fold;
  }
  return true;
}

function findFold(code: number): number {
  if (code === APOSTROPHE || code === 0x2019) return APOSTROPHE;
  if (code === HYPHEN) return HYPHEN;
  if (code >= ALPHABETS && code < PUNCTUATION) return OTHER;
  // Small letters of İ are an i and a dot, which is left out.
  if (code === 0x130) return 0x69;
  const normal = String.fromCharCode(code).normalize("NFKC");
  if (CONTEXT.test(normal)) return OTHER;
  const plain = normal.toLowerCase();
  if (!WORD_CHARACTER.test(plain)) return BREAK;
  return plain.length === 1 ? plain.charCodeAt(0) : OTHER;
}

/** Writes what each ASCII character is in a word. @param folds OUT 128 */
export function foldAscii(folds: Uint8Array): void {
  for (let code = 0; code < 128; code++) folds[code] = findFold(code);
}
