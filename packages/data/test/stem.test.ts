import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { countDocuments, openStem, STEMMED_LANGUAGES } from "../src/index.js";
import { nameStemmer, openStemmer } from "../src/stem.js";

const only = (texts: readonly string[]) => ({ texts, labels: null, ids: null, weights: null, notes: [] });

// Sentences of different writers; each language has forms of two nouns.
const GERMAN = [
  "Die Einigung der Parteien über den Haushalt kam nach einigen langen Nächten und vielen Gesprächen zustande.",
  "In der Nacht haben sich die Parteien nicht auf eine Einigung über die Haushalte der Länder verständigt.",
  "Der Haushalt des Landes ist für einige Partei-Mitglieder ein Grund, mit dem Kanzler zu sprechen.",
  "Eine Partei, die den Haushalt nicht will, hat auch an den Einigungen der letzten Jahre nicht mitgewirkt.",
];
const RUSSIAN = [
  "Правительство и парламент не договорились о новом бюджете, и министры уехали из города.",
  "Министр сказал, что бюджет города будет принят парламентом до конца года, но не раньше.",
  "О бюджетах городов министры говорят с парламентами каждый год, и это не всегда легко.",
  "В городе ждали министра, который не приехал, потому что он был в парламенте.",
];
const ENGLISH = [
  "The elections were won by the party that elected a new leader in the spring of the year.",
  "An election is what the party wanted, and the leaders of all parties were in the hall.",
  "Nobody was elected, and the solutions of the leader were no solution to the party.",
];

describe("stems", () => {
  it.each([
    ["de", GERMAN, ["haushalt", "haushalte"], ["partei", "parteien"]],
    ["ru", RUSSIAN, ["бюджет", "бюджетах", "бюджете"], ["министр", "министра", "министры"]],
    ["en", ENGLISH, ["elected", "election", "elections"], ["leader", "leaders"], ["solution", "solutions"]],
  ])("of %s are counted as one word, shown in a form that was written", async (language, texts, ...forms) => {
    const plain = await countDocuments(only(texts), { words: { maxShare: 1 } });
    const { X, features, recipe } = await countDocuments(only(texts), { words: { stem: true, maxShare: 1 } });
    expect(recipe.text?.stem).toMatchObject({ language, stemmer: nameStemmer(language) });
    for (const list of forms) {
      expect(plain.features!.filter((word) => list.includes(word)).length).toBeGreaterThan(1);
      expect(features!.filter((word) => list.includes(word))).toHaveLength(1);
    }
    expect(features!.every((word) => plain.features!.includes(word))).toBe(true);
    // What predict counts of the same texts is what the fit counted.
    const again = await countDocuments(only(texts), { like: { features, recipe, count: X.features } });
    for (let i = 0; i < texts.length; i++) expect(again.X.row(i)).toEqual(X.row(i));
    expect(again.notes).toEqual([]);
  });

  it("keep stop words apart from words with their stem: einige is no Einigung", async () => {
    const { features, recipe, X } = await countDocuments(only(GERMAN), { words: { stem: true, maxShare: 1 } });
    const place = features!.findIndex((word) => word.startsWith("einigung"));
    expect(GERMAN.map((_, i) => X.at(i, place))).toEqual([1, 1, 0, 1]);
    expect(recipe.text?.stem?.apart).toEqual(expect.arrayContaining(["einige", "einigen"]));
    const { X: later } = await countDocuments(only(["einige Einigung"]), {
      like: { features, recipe, count: X.features },
    });
    expect(later.at(0, place)).toBe(1);
  });

  it("are named by their package, whose version is the installed one", () => {
    for (const code of STEMMED_LANGUAGES) {
      const [name, version] = nameStemmer(code).split(" ");
      const installed = JSON.parse(
        readFileSync(new URL(`../../../node_modules/${name}/package.json`, import.meta.url), "utf8"),
      );
      expect(version).toBe(installed.version);
    }
  });

  it("can be opened for every language that is listed", async () => {
    for (const code of STEMMED_LANGUAGES) expect(typeof (await openStemmer(code))?.("test")).toBe("string");
    expect(await openStemmer("nb")).toBe(await openStemmer("no"));
    expect(await openStemmer("ja")).toBeNull();
  });

  it("are not there for every language, which is said", async () => {
    const texts = ["ホテルのサービスはとても良い", "部屋はとても狭い", "サービスが良い"];
    const { recipe, notes } = await countDocuments(only(texts), { words: { stem: true, maxShare: 1, language: "ja" } });
    expect(recipe.text?.stem).toBeUndefined();
    expect(notes.join()).toContain("there is no stemmer of Japanese: words are counted as they are");
  });

  it("of another version are named, and of an unknown language refused", async () => {
    const { features, recipe, X } = await countDocuments(only(GERMAN), { words: { stem: true, maxShare: 1 } });
    const other = (stem: object) => ({
      ...recipe,
      text: { ...recipe.text!, stem: { ...recipe.text!.stem!, ...stem } },
    });
    const like = (stem: object) => ({ like: { features, recipe: other(stem), count: X.features } });
    const { notes } = await countDocuments(only(GERMAN), like({ stemmer: "@orama/stemmers 1.0.0" }));
    expect(notes.join()).toContain("those of the fit by @orama/stemmers 1.0.0");
    await expect(countDocuments(only(GERMAN), like({ language: "ja" }))).rejects.toThrow(/stems of Japanese/);
    expect(await openStem({})).toEqual({});
  });

  it("count the words of a given vocabulary in all their forms", async () => {
    const words = { stem: true, vocabulary: ["election", "party"], language: "en" };
    const { X, features } = await countDocuments(only(ENGLISH), { words });
    expect(features).toEqual(["election", "party"]);
    expect([...X.row(0)]).toEqual([2, 1]);
  });
});
