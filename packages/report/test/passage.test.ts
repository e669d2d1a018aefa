import { expect, it } from "vitest";
import { findPassage } from "../src/passage.js";

const spell = (pieces: ReturnType<typeof findPassage>) =>
  pieces.map(({ text, marked }) => (marked ? `[${text}]` : text)).join("");

it("marks words whatever their case, punctuation and possessive", () => {
  expect(spell(findPassage("The Bank's profits: rates,\n rates and\tBANKS.", ["bank", "rates"]))).toBe(
    "The [Bank's] profits: [rates], [rates] and BANKS.",
  );
});

it("chooses the passage with the most different words, and says that something is left out", () => {
  const far = `${"nothing to see here ".repeat(60)}the keeper saved a penalty in extra time ${"and so on ".repeat(60)}`;
  const shown = spell(findPassage(far, ["keeper", "penalty"]));
  expect(shown).toMatch(/^… .*\[keeper\] saved a \[penalty\].* …$/);
  expect(shown.length).toBeLessThan(260);
  expect(spell(findPassage("a b c", ["z"]))).toBe("a b c");
});

it("marks the words of scripts without spaces, and phrases, alone", () => {
  expect(spell(findPassage("酒店的服务很好,位置也方便。", ["服务", "位置"]))).toBe("酒店的[服务]很好,[位置]也方便。");
  expect(spell(findPassage("ฉันรักแมวและสุนัข", ["แมว"]))).toBe("ฉันรัก[แมว]และสุนัข");
  const places = "From New York, (new) Mexico: “New York City”.";
  expect(spell(findPassage(places, ["new york", "mexico"]))).toBe(
    "From [New] [York], (new) [Mexico]: “[New] [York] City”.",
  );
  expect(spell(findPassage("犇骉来了", ["犇骉"]))).toBe("[犇骉]来了");
});

it("marks words with what is not seen in them, and phrases of scripts without spaces", () => {
  expect(spell(findPassage("Die Wort\u00adtrennung.", ["worttrennung"]))).toBe("Die [Wort\u00adtrennung].");
  expect(spell(findPassage("نرم\u200cافزارها و کتاب\u200cهای", ["نرم\u200cافزارها", "کتاب"]))).toBe(
    "[نرم\u200cافزارها] و [کتاب\u200cهای]",
  );
  expect(spell(findPassage("İstanbul, ISTANBUL", ["istanbul"]))).toBe("[İstanbul], [ISTANBUL]");
  expect(spell(findPassage("新的文件系统", ["文件 系统"]))).toBe("新的[文件系统]");
});

it("is short for texts without spaces and empty for empty ones", () => {
  const [piece, end] = findPassage("字".repeat(1000), []);
  expect([...piece.text].length + (end?.text.length ?? 0)).toBeLessThan(250);
  expect(findPassage("字".repeat(1000), []).at(-1)?.text).toMatch(/…$/);
  expect(findPassage("  \n ", ["a"])).toEqual([]);
});

it("never begins or ends inside a pair of surrogates", () => {
  const text = findPassage(`a${"😀".repeat(500)}`, [])[0].text;
  expect(() => encodeURIComponent(text)).not.toThrow();
});
