import { describe, expect, it } from "vitest";
import { DataError, OptionError } from "../../src/errors.js";
import { Random } from "../../src/random.js";
import { countWords } from "../../src/text/word-counts.js";
import { describeSegmenter, splitWords } from "../../src/text/words.js";
import { expectError } from "../io/thrown.js";

describe("words", () => {
  it.each([
    ["The Cat's hat, 2nd-hand.", ["the", "cat", "hat", "2nd-hand"]],
    ["L'objet qu’il n'a, l'été dell'arte.", ["objet", "il", "été", "arte"]],
    ["จำนวนน้ำ ນ້ຳ", ["จำนวน", "น้ำ", "ນ້ຳ"]],
    ["Don't ask O'Neill: we'll see d'Artagnan.", ["don't", "ask", "o'neill", "we'll", "see", "artagnan"]],
    ["dogs' o’clock rock-'n'-roll--end", ["dogs", "o'clock", "rock", "roll", "end"]],
    ["ﬁne Ｆｕｌｌ", ["fine", "full"]],
    ["Größe naïve ΑΘΗΝΑ हिन्दी", ["größe", "naïve", "αθηνα", "हिन्दी"]],
    ["I x 7 42 猫 犬", ["42", "猫", "犬"]],
    ["e\u0301te\u0301", ["été"]],
    ["Wort\u00adtrennung ශ්\u200dරී ಕ್\u200cಷ Auf\u200clage 👩\u200d🚀", ["worttrennung", "ශ්රී", "ಕ್ಷ", "auflage"]],
    ["نرم\u200cافزار، پیش\u200cفرض\u200cهای", ["نرم\u200cافزار", "پیش\u200cفرض"]],
    ["می\u200cکند نمی\u200cشده\u200cاند کتاب\u200cها و\u200c ها", ["کند", "شده", "کتاب", "ها"]],
    ["İstanbul İLK I\u0307yi", ["istanbul", "ilk", "iyi"]],
    [" \t.,;!", []],
    ["酒店的服务很好", ["酒店", "的", "服务", "很好"]],
    ["iPhone手机壳 is new", ["iphone", "手机", "壳", "is", "new"]],
    ["東京は日本の首都である", ["東京", "は", "日本", "の", "首都", "で", "ある"]],
    ["ฉันรักแมว", ["ฉัน", "รัก", "แมว"]],
  ])("of %j", (text, words) => expect(splitWords(text)).toEqual(words));

  it("of a run longer than any writing has", () => {
    expect(splitWords("東京".repeat(3000))).toEqual(new Array(3000).fill("東京"));
  });
});

describe("stop words", () => {
  it("are those of a list, instead of the English ones", () => {
    const { words } = countWords(["der Hund und the cat", "die Katze"], { stopWords: ["der", "die", "und"] });
    expect(words).toEqual(["cat", "hund", "katze", "the"]);
  });

  it("are learnt where words are spread over texts as by chance", () => {
    // "na" is anywhere, the others stay with their subject.
    const subjects = ["samaki bahari mashua", "ndege anga mabawa", "ng'ombe shamba maziwa", "gari barabara gurudumu"];
    const texts = Array.from({ length: 80 }, (_, i) => {
      const words = subjects[i % 4].split(" ");
      const [a, b, c] = [words[i % 3], words[(i + 1) % 3], words[(i * 7) % 3]];
      return `${a} ${a} na ${b} ${c} ${a} ${b} ${i % 2 === 0 ? "na" : ""}`;
    });
    const { words, learnt } = countWords(texts, { stopWords: false, learn: true, maxShare: 1 });
    expect(learnt).toEqual(["na"]);
    expect(words).toHaveLength(12);
    expect(countWords(texts.slice(0, 40), { learn: true }).learnt).toEqual([]);
  });

  it("are not learnt of texts so short that no word comes twice", () => {
    const short = Array.from({ length: 100 }, (_, i) => `jina${i % 8} neno${i % 9} ${i}`);
    expect(countWords(short, { stopWords: false, learn: true, maxShare: 1 }).learnt).toEqual([]);
  });
});

describe("words that the dictionary divides", () => {
  const FILLERS = ["系统", "软件", "网络", "安装", "文件", "数据", "用户", "服务"];
  const filler = (i: number) => `${FILLERS[i % 8]}和${FILLERS[(3 * i + 1) % 8]}`;
  /** 犇 and 骉 always stand together, 淼 with one word after another. */
  const texts = Array.from({ length: 60 }, (_, i) =>
    i % 3 === 0 ? `${filler(i)}的犇骉` : i % 3 === 1 ? `${filler(i)}的淼${"鑫焱垚猋羴鱻麤飍毳龘"[i % 10]}` : filler(i),
  );

  it("are one word where their characters stand together more often than by chance", () => {
    expect(splitWords("犇骉")).toEqual(["犇", "骉"]);
    const { words, X } = countWords(texts, { stopWords: ["的", "和"], maxShare: 1 });
    expect(words).toContain("犇骉");
    expect(words).not.toContain("犇");
    expect(words).not.toContain("骉");
    expect(words).toContain("淼");
    expect(words).not.toContain("淼鑫");
    expect(X.at(0, words.indexOf("犇骉"))).toBe(1);
    // Stems of other words change nothing of it.
    expect(countWords(texts, { stopWords: ["的", "和"], maxShare: 1, stem: (word) => word }).words).toEqual(words);
    expect(countWords(texts, { vocabulary: words }).X).toEqual(X);
  });

  it("are one word with an ending that they have more often than by chance", () => {
    expect(splitWords("机场犇")).toEqual(["机场", "犇"]);
    // 犇 ends three words, one of which is seen with it alone; 淼 stands after some by chance; 骉 begins one.
    const some = Array.from({ length: 80 }, (_, i) =>
      i % 4 === 0
        ? `${filler(i)}的机场犇和机场`
        : i % 4 === 1
          ? `${filler(i)}的银行犇和银行`
          : i % 4 === 2
            ? `骉学校和骉学校的${filler(i >> 2)}${i % 8 === 2 ? "的" : ""}淼`
            : `犇的ネット犇和${filler(i)}的淼`,
    );
    const { words, X } = countWords(some, { stopWords: ["的", "和"], maxShare: 1 });
    expect(words).toEqual(expect.arrayContaining(["机场犇", "银行犇", "ネット犇", "机场", "银行", "学校", "骉", "淼"]));
    for (const word of ["犇", "ネット", "骉学校"]) expect(words).not.toContain(word);
    expect(words.filter((word) => word.endsWith("淼"))).toEqual(["淼"]);
    // Whatever the stop words.
    const all = countWords(some, { stopWords: false, maxShare: 1 }).words;
    expect(all.filter((word) => /.[的和]$/.test(word))).toEqual([]);
    expect(X.at(0, words.indexOf("机场犇"))).toBe(1);
    expect(countWords(some, { vocabulary: words }).X).toEqual(X);
    expect(countWords(["机场 犇", "机场、犇", "机场的犇"], { vocabulary: ["机场犇"] }).X.values).toHaveLength(0);
  });

  it("are not joined over a stop word", () => {
    const apart = texts.map((text) => text.replace("犇骉", "犇的骉"));
    const { words } = countWords(apart, { stopWords: ["的", "和"], maxShare: 1 });
    expect(words).not.toContain("犇骉");
    expect(words).toContain("犇");
  });

  it.each([" 6.2 ", "6", " ", "、", "-", "’", "\n", "a"])("are not joined over %j", (between) => {
    const apart = texts.map((text) => text.replace("犇骉", `犇${between}骉`));
    const options = { stopWords: ["的", "和"], maxShare: 1 };
    const { words } = countWords(apart, options);
    expect(words).not.toContain("犇骉");
    expect(words).toEqual(expect.arrayContaining(["犇", "骉"]));
    for (const stem of [undefined, (word: string) => word]) {
      const known = countWords([`犇${between}骉`, "犇骉", "犇\u00ad骉"], { vocabulary: ["犇骉"], stem }).X;
      expect([0, 1, 2].map((i) => known.at(i, 0))).toEqual([0, 1, 1]);
    }
  });
});

describe("phrases", () => {
  const random = new Random(3);
  const word = () => `w${random.below(40)}`;
  const texts = Array.from({ length: 200 }, (_, i) => {
    const some = Array.from({ length: 12 }, word);
    return i % 4 === 0
      ? [...some, "new", "york", ...some].join(" ")
      : i % 4 === 1
        ? `${some.join(" ")} bill of rights`
        : some.join(" ");
  });

  it("are kept where their words meet more often than by chance", () => {
    const { words } = countWords(texts, { longest: 3 });
    const phrases = words.filter((each) => each.includes(" "));
    expect(phrases).toContain("new york");
    expect(phrases).toContain("bill of rights");
    expect(phrases.filter((phrase) => /^w\d+ w\d+$/.test(phrase)).length).toBeLessThan(20);
    expect(words.some((each) => each.startsWith("of ") || each.endsWith(" of"))).toBe(false);
  });

  it("are counted by a vocabulary too, in texts that came later", () => {
    const { X, words } = countWords(texts, { longest: 2 });
    const again = countWords(texts, { vocabulary: words }).X;
    expect([again.offsets, again.indices, again.values]).toEqual([X.offsets, X.indices, X.values]);
    expect([...countWords(["new york, New York!"], { vocabulary: ["new york", "york"] }).X.row(0)]).toEqual([2, 2]);
  });

  it("have a length that can be", () => {
    expect(() => countWords(["a"], { longest: 6 })).toThrow(/at most 5 words/);
  });
});

it("keeps a run of Katakana whole", () => {
  expect(splitWords("ディストリビューションのﾊﾟｰﾃｨｼｮﾝ")).toEqual(["ディストリビューション", "の", "パーティション"]);
  expect(splitWords("ディスク・ドライブ")).toEqual(["ディスク", "ドライブ"]);
  expect(splitWords("ア-イ")).toEqual(["ア", "イ"]);
});

it("dictionaries are told apart by how they divide", () => {
  expect(describeSegmenter()).toMatch(/^[0-9a-f]{8}$/);
});

describe("counting", () => {
  const texts = ["red fish and blue fish", "one red bird", "", "the blue sea"];

  it("gives a row a text and a column a word, sorted", () => {
    const { X, words } = countWords(texts);
    expect(words).toEqual(["bird", "blue", "fish", "red", "sea"]);
    expect([0, 1, 2, 3].map((i) => [...X.row(i)])).toEqual([
      [0, 1, 2, 1, 0],
      [1, 0, 0, 1, 0],
      [0, 0, 0, 0, 0],
      [0, 1, 0, 0, 1],
    ]);
  });

  it("keeps stop words on request", () => {
    expect(countWords(texts, { stopWords: false }).words).toContain("the");
  });

  it("leaves out what is rare, what is everywhere, and what is beyond the limit", () => {
    expect(countWords(texts, { minDocuments: 2 }).words).toEqual(["blue", "red"]);
    expect(countWords(texts, { maxShare: 0.25 }).words).toEqual(["bird", "fish", "sea"]);
    // blue and red are in two texts each; the tie among the others goes to "bird".
    expect(countWords(texts, { maxWords: 3 }).words).toEqual(["bird", "blue", "red"]);
  });

  it("wants words in two texts once there are twenty", () => {
    const many = Array.from({ length: 20 }, (_, i) => (i < 3 ? "shared" : `single${i}`));
    expect(countWords(many).words).toEqual(["shared"]);
    expect(countWords(many.slice(0, 19)).words).toHaveLength(17);
  });

  it("counts later texts by a given vocabulary, in its order, whatever the limits", () => {
    const { X, words } = countWords(["fish, fish, the whale", "nothing of it"], { vocabulary: ["the", "sea", "fish"] });
    expect(words).toEqual(["the", "sea", "fish"]);
    expect([...X.row(0)]).toEqual([1, 0, 2]);
    expect([...X.row(1)]).toEqual([0, 0, 0]);
  });

  it("agrees with itself: the training texts by their own vocabulary give the same counts", () => {
    const many = Array.from({ length: 300 }, (_, i) => `w${i % 7} w${i % 11} w${i % 13} w${i % 7} the`);
    const { X, words } = countWords(many, { maxShare: 1 });
    const again = countWords(many, { vocabulary: words }).X;
    expect(again.offsets).toEqual(X.offsets);
    expect(again.indices).toEqual(X.indices);
    expect(again.values).toEqual(X.values);
  });

  it("takes words that are also properties of objects", () => {
    expect(countWords(["constructor __proto__ toString"]).words).toEqual(["constructor", "proto", "tostring"]);
  });

  it("says what is wrong", () => {
    expectError(() => countWords([]), new DataError("empty", "there are no texts: at least one is needed"));
    expectError(
      () => countWords(["rare", "words"], { minDocuments: 2 }),
      new DataError(
        "empty",
        "none of the 2 words in 2 texts is left: each is in fewer than 2 texts (lower minDocuments) " +
          "or in more than 50 % of them (raise maxShare)",
      ),
    );
    expectError(
      () => countWords(["a"], { maxWords: 0 }),
      new OptionError("maxWords", 0, "maxWords must be a whole number, 1 or more, not 0"),
    );
    expectError(
      () => countWords(["a"], { maxShare: 2 }),
      new OptionError("maxShare", 2, "maxShare must be above 0 and at most 1, not 2"),
    );
    const vocabulary = ["sea", "sea"];
    expectError(
      () => countWords(["a"], { vocabulary }),
      new OptionError("vocabulary", vocabulary, "the vocabulary names a word twice: give each word once"),
    );
  });
});
