// Letters, marks and digits of any script, with apostrophes, hyphens and what parts letters of Persian only inside.
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['\u200c-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu;

/** Texts in these letters alone need no normalisation, and their words are found in half the time. */
const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /[a-z0-9]+(?:['-][a-z0-9]+)*/g;

/** Scripts whose words do not end at spaces. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Articles and pronouns that French, Italian and Catalan write in one with a vowel: l'objet, d'eau, qu'il, dell'arte. */
export const ELIDED = /^(?:[cdjlmnst]|un|[^'-]{0,4}(?:qu|ll))'(?=[aehiouy\u00c0-\uffff])/u;

/** With the apostrophe. */
export const LONGEST_ELIDED = 7;

/** Characters below this are letters of alphabets, where a single one is not a word; ideographs are words. */
const IDEOGRAPHS = "\u2e80";

/**
 * The words of a text as `countWords` counts them, in order: NFKC, lower case, without a possessive 's, an elided article
 * (l'eau) or the affixes that Persian parts from a word. Single letters and digits are left out. Chinese, Japanese, Thai, Lao, Khmer and Burmese are divided by the runtime's dictionary.
 *
 * @example
 * ```ts
 * import { splitWords } from "bonmf";
 * splitWords("The Cat's 9 lives – a long-told tale"); // → ["the", "cat", "lives", "long-told", "tale"]
 * splitWords("酒店的服务很好"); // → ["酒店", "的", "服务", "很好"]
 * ```
 */
export function splitWords(text: string): string[] {
  return splitPlaced(text).words;
}

export interface PlacedWords {
  readonly words: string[];
  /** Of scripts without spaces: whether nothing stands between a word and the one before it. */
  readonly touching: readonly boolean[];
}

/** The words of {@link splitWords}, and where they touch. */
export function splitPlaced(text: string): PlacedWords {
  if (ASCII.test(text)) return trimWords(text.toLowerCase().match(ASCII_WORD) ?? []);
  const plain = joinVowels(text.normalize("NFKC")).toLowerCase().replace(UNSEEN, "").replaceAll("’", "'");
  const found = plain.match(WORD) ?? [];
  if (!isUnspaced(plain)) return trimWords(found);
  return trimWords(found.flatMap((word) => (isUnspaced(word) ? [GAP, ...divide(word), GAP] : word)));
}

/** Stands among words where a text has something between them. */
const GAP = "";

/** Inside words, and seen in none: soft hyphens, what joins or parts letters other than Arabic ones, and the dot that the capital İ leaves. */
const UNSEEN = /[\u00ad\u200d]|(?<!\p{sc=Arabic})\u200c|\u200c(?!\p{sc=Arabic})|(?<=i)\u0307/gu;

/** NFKC parts a vowel of Thai and of Lao in two, and the dictionaries do not know their words then. */
function joinVowels(text: string): string {
  return text.replaceAll("\u0e4d\u0e32", "\u0e33").replaceAll("\u0ecd\u0eb2", "\u0eb3");
}

/** Without possessives, elided articles, single letters and gaps; in place. */
function trimWords(words: string[]): PlacedWords {
  const touching: boolean[] = [];
  let kept = 0;
  let touches = false;
  for (const each of words) {
    const whole = each.endsWith("'s") ? each.slice(0, -2) : each;
    const word = whole.includes("'") ? whole.replace(ELIDED, "") : whole.includes(PARTED) ? trimAffixes(whole) : whole;
    const keeps = word.length > 1 || word >= IDEOGRAPHS;
    if (keeps) {
      words[kept] = word;
      touching[kept++] = touches;
    }
    touches = keeps;
  }
  words.length = kept;
  return { words, touching };
}

/** Persian writes affixes, and the parts of compounds, so that their letters do not join. */
const PARTED = "\u200c";
const PREFIXES = new Set("می نمی".split(" "));
const SUFFIXES = new Set(
  "ها های هایی هایم هایت هایش هایمان هایتان هایشان ای ام ات اش ایم اید اند مان تان شان تر ترین".split(" "),
);

/** کتاب for کتاب‌های: such affixes are those of numbers, persons and degrees. */
function trimAffixes(word: string): string {
  const parts = word.split(PARTED);
  while (parts.length > 0 && SUFFIXES.has(parts[parts.length - 1])) parts.pop();
  while (parts.length > 0 && PREFIXES.has(parts[0])) parts.shift();
  return parts.join(PARTED);
}

/**
 * Whether a text has words that do not end at spaces.
 *
 * @example
 * ```ts
 * import { isUnspaced } from "bonmf";
 * [isUnspaced("iPhone手机"), isUnspaced("a hotel")]; // → [true, false]
 * ```
 */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text);
}

/** Whether a word is one character of such a script: often a piece of a word that the dictionary does not know. */
export function isPiece(word: string): boolean {
  const code = word.codePointAt(0)!;
  return word.length === (code > 0xffff ? 2 : 1) && word >= IDEOGRAPHS && isUnspaced(word);
}

const STEM = /^[\p{sc=Han}\p{sc=Katakana}\u30fc]{2,}$/u;

/** Whether the dictionaries may have parted an ending of one character from a word: 服务|器, ユーザ|名. */
export function takesEnding(word: string): boolean {
  return STEM.test(word);
}

const IDEOGRAPH = /^\p{sc=Han}$/u;

/** Particles, and what says where and when: they make no words, and stand after many. */
const PARTICLES = new Set(
  "的地得了着著过過吗嗎呢吧啊呀嘛么和与與及或在于於对對从從向是有也就都很又再还還才上下中里裡内內外前后後间間时時之等们們",
);

/** Whether a word may be such an ending. */
export function isEnding(word: string): boolean {
  return IDEOGRAPH.test(word) && !PARTICLES.has(word);
}

/** Whether a word may be the second of two pieces. */
export function isSecond(word: string): boolean {
  return isPiece(word) && !PARTICLES.has(word);
}

/** Whether two words that touch may be one: two pieces, or a word and an ending. */
export function mayJoin(left: string, right: string): boolean {
  return isPiece(left) ? isSecond(right) : takesEnding(left) && isEnding(right);
}

let segmenter: Intl.Segmenter | undefined;

/** Dividing takes more than linear time, so runs longer than those of any writing are cut. */
const PIECE = /.{1,1000}/gsu;

/** The words of a run of letters, with gaps where it has hyphens and the like. */
function divide(run: string): string[] {
  // The dictionaries belong to scripts, whatever the language.
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  const words: string[] = [];
  for (const piece of run.match(PIECE) ?? []) {
    for (const { segment, isWordLike } of segmenter.segment(piece)) words.push(isWordLike ? segment : GAP);
  }
  return joinKatakana(words);
}

/** Loan words, of which the dictionaries know few. "ー" belongs to Hiragana too, where it stands alone. */
const KATAKANA = /^[\u30a1-\u30fa\u30fc]+$/;

/** A run of Katakana is one word, as Unicode's word boundaries have it (UAX 29, WB13). */
function joinKatakana(words: string[]): string[] {
  let kept = 0;
  let joins = false;
  for (const word of words) {
    const katakana = KATAKANA.test(word);
    if (katakana && joins) words[kept - 1] += word;
    else words[kept++] = word;
    joins = katakana;
  }
  words.length = kept;
  return words;
}

/** Sentences that dictionaries of different versions divide differently. */
const PROBE =
  "研究生命起源的南京市长江大桥很好用心意已决东京都政府すもももももももものうち東京特許許可局ตากลมโคลงเรือディストリビューション";

/**
 * Which dictionary the runtime divides words by: equal texts where it divides some difficult sentences alike. Models of
 * words keep it, since another dictionary may find other words.
 *
 * @example
 * ```ts
 * import { describeSegmenter } from "bonmf";
 * describeSegmenter() === describeSegmenter(); // → true
 * ```
 */
export function describeSegmenter(): string {
  let hash = 0x811c9dc5;
  for (const letter of divide(PROBE).join("|")) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
