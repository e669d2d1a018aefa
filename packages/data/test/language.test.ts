import { splitWords, WEB_WORDS } from "bonmf";
import { describe, expect, it } from "vitest";
import { countDocuments } from "../src/documents.js";
import { findLanguage, openLanguage } from "../src/language.js";
import { MORE_STOP_WORDS } from "../src/more-stop-words.js";

const read = (texts: readonly string[], words = {}) =>
  countDocuments({ texts, labels: null, ids: null, weights: null, notes: [] }, { words });

const GERMAN = [
  "Ich habe dir gesagt, dass du mir das Buch geben sollst",
  "Der Hund und die Katze sind im Garten, aber ich sehe sie nicht",
  "Die Regierung hat neue Steuern beschlossen, und wir müssen zahlen",
];

describe("the language of texts", () => {
  it.each([
    ["de", GERMAN],
    ["en", ["I have told you that you should give me the book", "The dog and the cat are in the garden"]],
    ["fr", ["Le chat est sur la table et le chien dort", "Il faut que tu viennes avec moi dans le jardin"]],
    ["ru", ["Я не знаю, что он сказал ей вчера", "Мы были в городе, но там ничего не было"]],
    ["zh", ["这家酒店的服务很好，我们还会再来", "房间太小了，我不喜欢这里的早餐，也不会来"]],
    ["ja", ["これは日本語の文章です", "東京は日本の首都である"]],
    ["ar", ["ذهبت إلى المدرسة مع أخي في الصباح", "هذا هو الكتاب الذي كان على الطاولة"]],
  ])("%s", async (code, texts) => expect((await findLanguage(texts)).code).toBe(code));

  it("is not known of texts without stop words, which are taken for English ones", async () => {
    expect(await findLanguage(["broadband internet figure business", "market profit bank"])).toEqual({
      code: null,
      stopWords: "en",
      others: [],
    });
    expect(await findLanguage(["நான் வீட்டிற்கு செல்கிறேன்"])).toEqual({
      code: null,
      stopWords: "unknown",
      others: [],
    });
  });

  it("may be several, where many documents are in another", async () => {
    const english = ["I have told you that you should give me the book", "The dog and the cat are in the garden"];
    const texts = Array.from(
      { length: 40 },
      (_, i) => `${i % 4 === 0 ? english[(i / 4) % 2] : GERMAN[i % 3]} ${i + 10}`,
    );
    const { code, stopWords, others } = await findLanguage(texts);
    expect([code, others]).toEqual(["de", ["en"]]);
    expect(stopWords).toEqual(expect.arrayContaining(["the", "dass"]));
    expect((await read(texts)).notes[0]).toBe(
      "the languages are German and English: their stop words are left out (--language, --stop-words)",
    );
    const quotation =
      "if it is not what we were here for, as they had been with you and she will be on her own by the door, " +
      "which of those that are at this or from some can do more than all but me, who has no such time after them";
    const quoted = [...GERMAN, ...GERMAN, ...GERMAN].map(
      (text) => `${text}. ${text}: ${text}. ${quotation.slice(0, 60)}`,
    );
    expect((await findLanguage([...quoted, quotation])).others).toEqual(["en"]);
    // The commonest may have lost its stop words.
    const lean = Array.from({ length: 40 }, (_, i) =>
      i % 8 === 0 ? GERMAN[i % 3] : `broadband business profit market analyst growth shares company economy ${i}`,
    );
    expect(await findLanguage(lean)).toMatchObject({ code: "en", others: ["de"] });
    // As many stop words are Breton, or nearly.
    const french = [
      "Le joueur a marqué un but; l'arbitre a sifflé la fin du match",
      "Le moteur de la voiture a calé; le mécanicien a changé l'huile et les freins",
    ];
    expect(await findLanguage(Array.from({ length: 20 }, (_, i) => french[i % 2]))).toMatchObject({
      code: "fr",
      others: [],
    });
    // A few are quotations.
    expect((await findLanguage([...GERMAN, ...GERMAN, english[0]])).others).toEqual([]);
  });
});

describe("words of texts", () => {
  it("are in different documents, in whatever order they come", async () => {
    const texts = [...GERMAN, "Der Hund bellt laut", "Die Katze und der Hund", "Das Haus ist gross"];
    const once = await read(texts);
    const thrice = await read([...texts.slice(2), ...texts, ...texts, ...texts.slice(0, 2)]);
    expect(thrice.features).toEqual(once.features);
    expect(thrice.X.samples).toBe(3 * texts.length);
    expect([...thrice.X.row(0)]).toEqual([...once.X.row(2)]);
    expect([...thrice.X.row(texts.length - 2)]).toEqual([...once.X.row(0)]);
  });

  it("are without the stop words of their language, which a note names", async () => {
    const { features, notes, recipe } = await read(GERMAN);
    expect(features).toEqual([
      "beschlossen",
      "buch",
      "garten",
      "geben",
      "hund",
      "katze",
      "regierung",
      "sehe",
      "steuern",
      "zahlen",
    ]);
    expect(notes).toEqual(["the language is German: its stop words are left out (--language, --stop-words)"]);
    expect(recipe.text).toMatchObject({ language: "de", stopWords: true });
  });

  it("of few documents may be in most of them, where stop words are known", async () => {
    const five = ["cats and mice", "mice fear cats", "bonds and stocks", "stocks fell", "cats sleep"];
    expect((await read(five)).features).toContain("cats");
    expect((await read(five, { maxShare: 0.5 })).features).not.toContain("cats");
    expect((await read(five.map((text) => `cats ${text}`))).features).not.toContain("cats");
    // Nothing else leaves out words that tell nothing where no language is known.
    expect((await read(["ጎ ሀለ መሰ", "ጎ ሀለ ረሸ", "ጎ ቀበ ተቸ", "ነኘ ቀበ"])).features).not.toContain("ጎ");
    const many = Array.from({ length: 20 }, (_, i) => `cats ${five[i % 5]} ${"abcdefghijklmnopqrst"[i].repeat(3)}`);
    expect((await read([...many, "stocks"])).features).not.toContain("cats");
  });

  it("are no single letters of Hiragana", async () => {
    const { features, recipe } = await read([
      "猫は魚が好きです。",
      "猫が庭で魚を食べました。",
      "銀行は株価を心配しています。",
      "銀行の株価が上がりました。",
    ]);
    expect(recipe.text).toMatchObject({ language: "ja" });
    expect(features).toEqual(expect.arrayContaining(["猫", "魚", "銀行", "株価"]));
    expect(features!.filter((word) => /^\p{Script=Hiragana}$/u.test(word))).toEqual([]);
  });

  it("are those that people ask for", async () => {
    expect((await read(GERMAN, { stopWords: false })).features).toContain("dir");
    expect((await read(GERMAN, { stopWords: ["buch"] })).features).not.toContain("buch");
    expect((await read(GERMAN, { language: "fr" })).features).toContain("dir");
    const joined = [...GERMAN, "Falls der Hund mehrere Katzen sieht, bellt er obwohl sie miteinander spielen"];
    const { features } = await read(joined);
    expect(features).toEqual(expect.arrayContaining(["katzen", "bellt", "spielen"]));
    for (const word of ["falls", "mehrere", "obwohl", "miteinander"]) expect(features).not.toContain(word);
    expect((await read(GERMAN, { vocabulary: ["hund", "auto"] })).features).toEqual(["hund", "auto"]);
  });

  it("that do not end at spaces come from a dictionary, which predictions compare", async () => {
    const { features, recipe } = await read([
      "我们喜欢酒店的早餐",
      "他们不喜欢房间，也不喜欢这个地方",
      "我很累了，还是睡吧",
    ]);
    expect(features).toContain("酒店");
    for (const word of ["我们", "他们", "的"]) expect(features).not.toContain(word);
    const like = (segmenter: string) => ({
      like: { features, count: features!.length, recipe: { ...recipe, text: { ...recipe.text!, segmenter } } },
    });
    const later = { texts: ["酒店很好"], labels: null, ids: null, weights: null, notes: [] };
    expect((await countDocuments(later, like(recipe.text!.segmenter!))).notes).toEqual([]);
    expect((await countDocuments(later, like("00000000"))).notes[0]).toMatch(/another dictionary/);
  });
});

describe("parts of addresses and of HTML", () => {
  const quotes = "&quot;C&quot; &apos;&lsquo;D&rsquo; &ldquo;E&rdquo; &laquo;F&raquo; &ndash;&mdash;&hellip;";
  const web = ` https://www.example.com/buch.html http://example.com mailto:a@example.com A&amp;B&nbsp;${quotes}`;
  const tamil = ["நான் வீட்டிற்கு செல்கிறேன்", "அவள் பள்ளிக்கு செல்கிறாள்", "மழை பெய்கிறது"];
  it.each([
    ["of English", ["The dog and the cat are in the garden", "I have told you that you should give me the book"]],
    ["of German", GERMAN],
    ["of Chinese", ["这家酒店的服务很好，我们还会再来", "房间太小了，我不喜欢这里的早餐，也不会来"]],
    ["where the language has no list", tamil],
  ])("are left out %s", async (_, texts) => {
    const all = [...texts.map((text) => text + web), ...texts];
    const { features } = await read(all);
    expect(features).toEqual(expect.arrayContaining(["example", "buch", "html"]));
    for (const word of WEB_WORDS) expect(features).not.toContain(word);
    expect((await read(all, { stopWords: false })).features).toEqual(expect.arrayContaining([...WEB_WORDS]));
  });
});

describe("the words that the lists lack", () => {
  it.each([...MORE_STOP_WORDS])(
    "are words of %s as texts are divided, each once, and left out",
    async (code, words) => {
      for (const word of words) expect(splitWords(word)).toEqual([word]);
      expect(new Set(words).size).toBe(words.length);
      expect((await openLanguage(code)).stopWords).toEqual(expect.arrayContaining([...words]));
    },
  );
});
