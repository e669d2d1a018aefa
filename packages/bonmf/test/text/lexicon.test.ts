import { describe, expect, it } from "vitest";
import { Random } from "../../src/random.js";
import { Lexicon } from "../../src/text/lexicon.js";
import { openWasmTable } from "../../src/text/wasm-table.js";
import { splitWords } from "../../src/text/words.js";

/** Few characters are read in TypeScript, many in WebAssembly. */
const BOTH = [0, 1e6];

/** The words of texts that one lexicon reads, one after another. */
function readAll(texts: readonly string[], characters: number): string[][] {
  const lexicon = new Lexicon(characters);
  return texts.map((text) => {
    const count = lexicon.read(text);
    return Array.from(lexicon.tokens.subarray(0, count), (id) => lexicon.words[id]);
  });
}

const REAL = [
  "The Cat's 9 lives – a long-told tale; rock-'n'-roll, dogs' o’clock's end-",
  "Größe: naïve Übermaß, l’été à Genève, ½ l, x² und ªº",
  "L'objet d’eau qu'il n’est, jusqu'à presqu'île dell'arte un'altra d'aujourd'hui l'un-l'autre x-qu'il 2ll'a l's d'é's",
  "don't o'clock O'Neill we'll rock'n'roll c'mon L'11",
  "ΑΘΗΝΑ Οδυσσεύς ΣΟΦΟΣ Σ",
  "Съешь же ещё этих мягких французских булок, да выпей чаю. Й й",
  "İstanbul IŞIK ǅ ŉ ﬁne Ｆｕｌｌ e\u0301te\u0301",
  "iPhone手机壳 is new 東京は日本の首都である ฉันรักแมว",
  "हिन्दी में लिखा हुआ पाठ, العربية النص",
  "Wort\u00adtrennung, ශ්\u200dරී ಕ್\u200cಷ",
  "نرم\u200cافزار",
  "x\u200cy",
  "Հայերեն տեքստ և այլն",
  "𝒜𝓁𝓁 😀 words\ud800 left 한국어 텍스트",
];

it("WebAssembly reads many texts", () => {
  expect(openWasmTable()?.foldAscii("many")).toBe(true);
  expect(openWasmTable()?.foldAscii("Größe")).toBe(false);
});

describe.each(BOTH)("a lexicon for %i characters reads the words that splitWords finds", (characters) => {
  it.each(REAL)("in %j", (text) => expect(readAll([text], characters)).toEqual([splitWords(text)]));

  it("around every character of alphabets, and around some others", () => {
    const codes = Array.from({ length: 0x10000 }, (_, code) => code).filter((code) => code < 0x2200 || code % 97 === 0);
    const texts = codes.flatMap((code) => {
      const c = String.fromCharCode(code);
      return [`ab${c}cd`, `${c}x A${c}`, `a-${c}'s ${c}${c}'S b’${c}`];
    });
    const read = readAll(texts, characters);
    for (const [i, text] of texts.entries()) {
      const words = splitWords(text);
      if (read[i].join("|") !== words.join("|")) expect({ text, words: read[i] }).toEqual({ text, words });
    }
  });

  it("in random texts of any characters, one after another", () => {
    const random = new Random(7);
    const alphabets = [
      "abcXYZ019'’-–. ",
      "lqunae'’-É ",
      "äößÉñžΣσςЙйё'- ,²½",
      "aŉǆİıﬁ\u0301\u0327e",
      "的服务犇骉ฉัน한글 a-",
      "\ud835\udc9c\ud83d\ude00b'c ",
    ];
    const texts = Array.from({ length: 3000 }, (_, i) => {
      const letters = i % 7 === 0 ? alphabets.join("") : alphabets[i % alphabets.length];
      return Array.from({ length: random.below(60) }, () => letters[random.below(letters.length)]).join("");
    });
    expect(readAll(texts, characters)).toEqual(texts.map(splitWords));
  });

  it("in a text of one long word, and of more words than tables begin with", () => {
    const long = "ab".repeat(200_000);
    const many = Array.from({ length: 5000 }, (_, i) => `w${i}-${(i * i) % 977}`).join(" ");
    expect(readAll([long, many, long], characters)).toEqual([long, many, long].map(splitWords));
  });

  it("with the same number for a word, whichever way it was read", () => {
    const lexicon = new Lexicon(characters);
    lexicon.read("plain words here");
    expect(lexicon.read("words 手机 plain")).toBe(3);
    expect([...lexicon.tokens.subarray(0, 3)]).toEqual([1, 3, 0]);
    expect(lexicon.find("here")).toBe(2);
  });
});
