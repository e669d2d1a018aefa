import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { loadModel } from "bonmf";
import { describe, expect, it } from "vitest";
import { makeFolder, runBonmf } from "../binary.js";

const cwd = makeFolder();
const put = (name: string, text: string) => writeFileSync(join(cwd, name), text);
const run = (...args: string[]) => runBonmf(args, { cwd });
const wordsOf = (name: string) => loadModel(readFileSync(join(cwd, name))).featureNames;

const GERMAN = [
  "Der Stürmer hat ein Tor für die Mannschaft geschossen und ich war da",
  "Die Mannschaft hat das Spiel gewonnen aber du hast das Tor nicht gesehen",
  "Die Ministerin will die Steuern senken weil wir alle zu viel zahlen",
  "Wir zahlen die Steuern die uns die Ministerin nicht erlassen hat",
];
put("de.txt", `${GERMAN.join("\n")}\n`);

describe("words of texts", () => {
  it("are without the stop words of the language found", async () => {
    const { code, stderr } = await run("fit", "de.txt", "--k", "2", "--out", "de.st");
    expect(code).toBe(0);
    expect(stderr).toContain("the language is German: its stop words are left out");
    const words = wordsOf("de.st");
    for (const word of ["mannschaft", "steuern", "tor"]) expect(words).toContain(word);
    for (const word of ["der", "ich", "du", "und", "wir"]) expect(words).not.toContain(word);
  });

  it("are chosen by --stop-words, --language, --min-docs, --max-share and --ngrams", async () => {
    put("stop.txt", "tor\nspiel ich\n");
    const fit = async (...flags: string[]) => {
      expect((await run("fit", "de.txt", "--k", "2", "--out", "x.st", ...flags)).code).toBe(0);
      return wordsOf("x.st");
    };
    const own = await fit("--stop-words", "stop.txt");
    expect(own).not.toContain("tor");
    expect(own).toContain("wir");
    expect(await fit("--stop-words", "none")).toContain("ich");
    expect(await fit("--language", "fr")).toContain("ich");
    expect(await fit("--min-docs", "2")).toEqual(["mannschaft", "ministerin", "steuern", "tor", "zahlen"]);
    expect(await fit("--max-share", "25%")).not.toContain("mannschaft");
    expect((await fit("--ngrams", "1-2"))!.every((word) => word.split(" ").length <= 2)).toBe(true);
  });

  it("of --vocabulary alone are counted, and name the features of LIBSVM counts", async () => {
    put("words.txt", "tor\nsteuern\nauto\n");
    expect((await run("fit", "de.txt", "--k", "2", "--vocabulary", "words.txt", "--out", "v.st")).code).toBe(0);
    expect(wordsOf("v.st")).toEqual(["tor", "steuern", "auto"]);
    put("counts.svm", "1 1:2\n1 1:1\n2 2:3\n2 2:1\n");
    const { code, stdout } = await run("fit", "counts.svm", "--k", "2", "--vocabulary", "words.txt", "--out", "c.st");
    expect(code).toBe(0);
    expect(stdout).toMatch(/tor ↑/);
    expect(wordsOf("c.st")).toEqual(["tor", "steuern", "auto"]);
    writeFileSync(join(cwd, "words.txt.gz"), gzipSync("tor\nsteuern\nauto\n"));
    await run("fit", "counts.svm", "--k", "2", "--vocabulary", "words.txt.gz", "--out", "gz.st");
    expect(wordsOf("gz.st")).toEqual(["tor", "steuern", "auto"]);
    put("two.txt", "tor\nsteuern\n");
    put("wide.svm", "1 1:2\n1 3:1\n2 2:3\n");
    const wide = await run("fit", "wide.svm", "--k", "2", "--vocabulary", "two.txt");
    expect(wide.code).toBe(1);
    expect(wide.stderr).toMatch(/error: /);
  });

  it.each([
    [["--ngrams", "7"], /--ngrams "7" is no range of lengths/],
    [["--max-share", "2"], /--max-share "2" is no share/],
    [["--min-docs", "0"], /--min-docs must be a whole number above 0, not 0/],
    [["--language", "german"], /--language "german" is no code/],
    [["--stop-words", "nowhere.txt"], /--stop-words nowhere\.txt: there is no such file/],
  ])("%j is refused", async (flags, message) => {
    const { code, stderr } = await run("fit", "de.txt", "--k", "2", ...flags);
    expect([code, message.test(stderr)]).toEqual([1, true]);
  });
});
